// Block positions by micromark, the parser behind mdast: an opinion that owes nothing to markdown-it.
// In:  one JSON string a line, each a document. Out: one line each, [[kind, start, end, level, parent], ...]
// in document order; offsets are code points, parent is an index into the same list or -1.
import { createInterface } from "node:readline";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { frontmatter } from "micromark-extension-frontmatter";
import { gfm } from "micromark-extension-gfm";

const KINDS = {
  blockquote: "quote",
  code: "code",
  definition: "definition",
  footnoteDefinition: "footnote",
  heading: "heading",
  html: "html",
  image: "inline",
  inlineCode: "inline",
  link: "inline",
  list: "list",
  listItem: "item",
  paragraph: "paragraph",
  table: "table",
  tableRow: "row",
  thematicBreak: "rule",
  toml: "front",
  yaml: "front",
};
const HOLDS_TEXT = new Set(["paragraph", "heading", "tableCell"]);
const OPTIONS = {
  extensions: [gfm(), frontmatter(["yaml", "toml"])],
  mdastExtensions: [gfmFromMarkdown(), frontmatterFromMarkdown(["yaml", "toml"])],
};

// Offsets in UTF-16 units to offsets in code points.
function codePoints(source) {
  if (!/[\ud800-\udbff]/.test(source)) return (offset) => offset;
  const at = new Int32Array(source.length + 1);
  let count = 0;
  for (let i = 0; i < source.length; i++) {
    at[i] = count;
    if (source.codePointAt(i) > 0xffff) at[++i] = count;
    count++;
  }
  at[source.length] = count;
  return (offset) => at[offset];
}

function kindOf(node, source, inText) {
  if (node.type === "html" && inText) return undefined;
  if (node.type === "code" && !"`~".includes(source[node.position.start.offset])) return "indented";
  return KINDS[node.type];
}

function blocks(source) {
  const found = [];
  const at = codePoints(source);
  const visit = (node, parent, inText) => {
    const kind = kindOf(node, source, inText);
    if (kind && node.position) { // bare addresses that GFM makes links of have none
      const { start, end } = node.position;
      found.push([kind, at(start.offset), at(end.offset), node.depth ?? 0, parent]);
      parent = found.length - 1;
    }
    const text = inText || HOLDS_TEXT.has(node.type);
    for (const child of node.children ?? []) visit(child, parent, text);
  };
  visit(fromMarkdown(source, OPTIONS), -1, false);
  return found;
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(blocks(JSON.parse(line))));
}
