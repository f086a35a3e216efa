// Opens pages in a browser, does what the steps say and prints what was seen, as JSON.
//   node page.cjs CHROMIUM < steps.json
"use strict";
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { chromium } = require("playwright-core");

const ARGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
  "--disable-background-networking", "--disable-component-update",
];

async function main() {
  const { file, width, height, scheme, steps } = JSON.parse(fs.readFileSync(0, "utf8"));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "page-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: process.argv[2],
    args: ARGS,
    viewport: { width, height },
    colorScheme: scheme,
    reducedMotion: "reduce",
  });
  const seen = { errors: [], requests: [], values: [] };
  try {
    const page = context.pages()[0] ?? await context.newPage();
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) seen.errors.push(message.text());
    });
    page.on("pageerror", (error) => seen.errors.push(error.message));
    page.on("dialog", (dialog) => { seen.errors.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
    page.on("request", (request) => seen.requests.push(request.url()));
    await page.goto(`file://${file}`);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    seen.opened = await page.evaluate(() => performance.now());
    for (const [what, value] of steps) {
      if (what === "press") await page.keyboard.press(value);
      else if (what === "type") await page.keyboard.type(value);
      else if (what === "click") await page.click(value);
      else if (what === "hover") await page.hover(value);
      else if (what === "print") await page.emulateMedia({ media: "print" });
      else if (what === "shot") await page.screenshot({ path: value });
      else seen.values.push(await page.evaluate(value));
    }
  } finally {
    await context.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
  process.stdout.write(JSON.stringify(seen));
}

main();
