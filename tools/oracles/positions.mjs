// Where blocks and inline constructs stand, from a parser that owes nothing to markdown-it:
// `node positions.mjs PARSER`, with PARSER micromark or micromark-gfm.
// In:  one JSON string a line, each a document. Out: one line each, {blocks, inline}; offsets count
// code points from 0, half-open. A block is [kind, depth, start, end, level], in document order,
// where depth counts the blocks around it and level is that of a heading; an inline construct is
// [kind, start, end, text].
import { createInterface } from "node:readline";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

const BLOCKS = {
  blockquote: "blockquote",
  code: "code",
  definition: "definition",
  footnoteDefinition: "footnote_definition",
  heading: "heading",
  html: "html",
  list: "list",
  listItem: "list_item",
  paragraph: "paragraph",
  table: "table",
  tableRow: "table_row",
  thematicBreak: "thematic_break",
};
const INLINE = {
  footnoteReference: "footnote_reference",
  html: "html",
  image: "image",
  imageReference: "image",
  inlineCode: "code",
  link: "link",
  linkReference: "link",
};
const HOLDS_TEXT = new Set(["heading", "paragraph", "tableCell"]);

function codePoints(source) {
  const before = new Uint32Array(source.length + 1);
  for (let unit = 0, point = 0; unit < source.length; unit++) {
    before[unit] = point;
    const paired = source.codePointAt(unit) > 0xffff;
    if (!paired) point++;
    before[unit + 1] = point;
  }
  return before;
}

function positions(source, options) {
  const before = codePoints(source);
  const mark = source.startsWith("\ufeff") ? 1 : 0; // which offsets do not count
  const place = (node) => [node.position.start.offset + mark, node.position.end.offset + mark];
  const found = { blocks: [], inline: [] };
  const visitInline = (node) => {
    // what an extension made of text afterwards has no place of its own
    if (INLINE[node.type] && node.position) {
      const [start, end] = place(node);
      found.inline.push([INLINE[node.type], before[start], before[end], source.slice(start, end)]);
    }
    (node.children ?? []).forEach(visitInline);
  };
  const visit = (node, depth) => {
    if (BLOCKS[node.type]) {
      const [start, end] = place(node).map((offset) => before[offset]);
      found.blocks.push([BLOCKS[node.type], depth, start, end, node.depth ?? 0]);
    }
    const inner = HOLDS_TEXT.has(node.type) ? visitInline : (child) => visit(child, depth + 1);
    (node.children ?? []).forEach(inner);
  };
  fromMarkdown(source, options).children.forEach((child) => visit(child, 0));
  return found;
}

const PARSERS = {
  micromark: {},
  "micromark-gfm": { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] },
};
const options = PARSERS[process.argv[2]];
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  console.log(JSON.stringify(positions(JSON.parse(line), options)));
}
