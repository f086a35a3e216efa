// Prints the addresses that Docusaurus' docs plugin gives to the documents of a site, by file:
// node addresses.mjs MODULES SITE
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [modules, siteDir] = process.argv.slice(2)
const require = createRequire(pathToFileURL(join(modules, 'x.js')))
process.env.NODE_ENV = 'production'

const { loadContext } = require('@docusaurus/core/lib/server/site.js')
const { normalizePluginOptions } = require('@docusaurus/utils-validation')
const { default: docs, validateOptions } = require('@docusaurus/plugin-content-docs')

const context = await loadContext({ siteDir })
const options = validateOptions({
  validate: normalizePluginOptions,
  options: { routeBasePath: '/' },
})
const plugin = await docs(context, options)
const { loadedVersions } = await plugin.loadContent()
const found = loadedVersions.flatMap((version) => version.docs)
const place = '@site/docs/'
const pairs = found.map(({ source, permalink }) => [source.slice(place.length), permalink])
process.stdout.write(JSON.stringify(Object.fromEntries(pairs)))
