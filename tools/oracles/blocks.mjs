// Blocks by line, from a parser that owes nothing to markdown-it: `node blocks.mjs PARSER`.
// In:  one JSON string a line, each a document. Out: one line each, [[kind, first, last, level], ...]
// in document order; lines count from 1, level is that of a heading.
import { createInterface } from "node:readline";
import { Parser } from "commonmark";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

const KINDS = {
  block_quote: "blockquote",
  blockquote: "blockquote",
  code: "code",
  code_block: "code",
  definition: "definition",
  footnoteDefinition: "footnote_definition",
  heading: "heading",
  html: "html",
  html_block: "html",
  item: "list_item",
  list: "list",
  listItem: "list_item",
  paragraph: "paragraph",
  table: "table",
  thematicBreak: "thematic_break",
  thematic_break: "thematic_break",
};
const HOLDS_TEXT = new Set(["paragraph", "heading", "table"]);

function commonmark(source) {
  const found = [];
  const walker = new Parser().parse(source).walker();
  for (let step; (step = walker.next()); ) {
    const { type, sourcepos, level } = step.node;
    if (!step.entering || !KINDS[type] || !sourcepos) continue;
    found.push([KINDS[type], sourcepos[0][0], sourcepos[1][0], level ?? 0]);
  }
  return found;
}

function micromark(options) {
  return (source) => {
    const found = [];
    const visit = (node) => {
      if (KINDS[node.type])
        found.push([KINDS[node.type], node.position.start.line, node.position.end.line, node.depth ?? 0]);
      if (!HOLDS_TEXT.has(node.type)) (node.children ?? []).forEach(visit);
    };
    visit(fromMarkdown(source, options));
    return found;
  };
}

const PARSERS = {
  "commonmark-js": commonmark,
  micromark: micromark({}),
  "micromark-gfm": micromark({ extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }),
};
const blocks = PARSERS[process.argv[2]];
for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  console.log(JSON.stringify(blocks(JSON.parse(line))));
}
