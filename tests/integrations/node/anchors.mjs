// Prints the anchors that a generator gives to the headings of the Markdown on standard input:
// node anchors.mjs github-slugger|vitepress|docusaurus MODULES
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [tool, modules] = process.argv.slice(2)
const source = readFileSync(0, 'utf8')
const require = createRequire(pathToFileURL(join(modules, 'x.js')))
const load = (name) => import(pathToFileURL(require.resolve(name)))

async function vitepress() {
  const { createMarkdownRenderer } = await import(
    pathToFileURL(join(modules, 'node_modules/vitepress/dist/node/index.js'))
  )
  const renderer = await createMarkdownRenderer('.')
  const html = await renderer.render(source)
  return [...html.matchAll(/<h[1-6] id="([^"]*)"/g)].map((match) => match[1])
}

async function docusaurus() {
  const { unified } = await load('unified')
  const { default: parse } = await load('remark-parse')
  const { visit } = await load('unist-util-visit')
  const { default: headings } = require('@docusaurus/mdx-loader/lib/remark/headings/index.js')
  const tree = unified().use(parse).parse(source)
  await headings({ anchorsMaintainCase: false })(tree)
  const found = []
  visit(tree, 'heading', (node) => {
    found.push(node.data.id)
  })
  return found
}

async function githubSlugger() {
  const { default: Slugger } = await import(
    pathToFileURL(join(modules, 'node_modules/github-slugger/index.js'))
  )
  const slugger = new Slugger()
  return source.split('\n').map((title) => slugger.slug(title))
}

const tools = { vitepress, docusaurus, 'github-slugger': githubSlugger }
process.stdout.write(JSON.stringify(await tools[tool]()))
