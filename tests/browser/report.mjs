// Opens the report about idioms of a small repository in a browser, and uses it as people do.
//
//     node report.mjs PATOIS [SCREENSHOTS]
//
// PATOIS is the program, SCREENSHOTS a folder for pictures. The browser is the system's Chromium, or
// what CHROMIUM names. Exit code 77 says that there is no browser, or no playwright-core to drive it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

const SKIPPED = 77;
const [program, screenshots] = process.argv.slice(2);
const executablePath = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
  .find((it) => it && existsSync(it));

let chromium;
try {
  ({ chromium } = await import("playwright-core"));
} catch {
  skip("playwright-core is not installed: run `npm install` in tests/browser");
}
if (!executablePath) skip("there is no Chromium");

function skip(why) {
  console.log(`skipped: ${why}`);
  process.exit(SKIPPED);
}

const NAMES = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"];

/** A repository of two languages, with names and texts that are no markup. */
function makeRepository(folder) {
  const write = (path, text) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const python = (name, other) => `
def load_${name}(path, cache):
    """Reads ${name}: </script><b>bold</b>."""
    if path not in cache:
        with open(path, encoding="utf-8") as file:
            cache[path] = json.load(file)
    return cache[path]["${other}"]


def check_${name}(value):
    if not isinstance(value, dict):
        raise TypeError(f"expected ${name}, found {value!r}")
    return value.get("${other}", "</script>")

`;
  const script = (name, other) => `
export function ${name}(${other}) {
  if (${other} == null) throw new Error("no ${other}: </script>");
  const element = document.createElement("${other}");
  element.addEventListener("click", () => console.log("${name}"));
  return element;
}
`;
  NAMES.forEach((name, index) => {
    const other = NAMES[(index + 3) % NAMES.length];
    const folder = index % 2 ? "app/core" : "app/plugins <&>";
    write(`${folder}/${name}.py`, `import json\n${python(name, other)}${python(`${name}_more`, name)}`);
    write(`web/${name}.js`, script(name, other) + script(`${other}Again`, name));
  });
}

const folder = mkdtempSync(join(tmpdir(), "patois-browser-"));
const errors = [];
let browser;
try {
  makeRepository(join(folder, "repository"));
  const report = join(folder, "out.html");
  const options = ["mine", "repository", "--out", "idioms.json", "--report", report, "--sweeps", "4"];
  execFileSync(program, options, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  await usesTheReport(report);
  await looks(report);
} finally {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}
assert.deepEqual(errors, [], "errors in the console");
console.log("the report works");

async function open(report, options) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => { if (!request.url().startsWith("file:")) errors.push(`asked the network for ${request.url()}`); });
  await page.goto(pathToFileURL(report).href);
  return page;
}

async function usesTheReport(report) {
  const page = await open(report);
  assert.match(await page.title(), /repository/);
  const all = await page.locator("article").count();
  assert.ok(all >= 4, `${all} idioms`);
  assert.equal(await page.locator("#list b:text-matches('bold')").count(), 0);

  await filters(page, all);
  await expands(page);
  await followsAPlace(page);
  await followsANeighbour(page);
  await usesTheKeyboard(page, all);
  await usesTheMap(page, all);
  await changesTheColours(page);
  await page.close();
}

async function filters(page, all) {
  const articles = page.locator("article");
  await page.fill("#text", "addEventListener");
  const found = await articles.count();
  assert.ok(found > 0 && found < all, `${found} of ${all} idioms`);
  for (const source of await page.locator("article .source").allTextContents()) {
    assert.match(source, /addEventListener/);
  }
  assert.match(await page.textContent("#count"), new RegExp(`^${found} of ${all} idioms$`));
  await page.fill("#text", "nobody writes this");
  assert.equal(await articles.count(), 0);
  await page.click("#reset");
  assert.equal(await articles.count(), all);

  await page.selectOption("#language", { label: "python" });
  const ids = await articles.evaluateAll((them) => them.map((it) => it.id));
  assert.ok(ids.length > 0 && ids.every((id) => id.startsWith("py-")), ids.join());
  await page.selectOption("#language", { label: "all" });

  await page.selectOption("#order", { label: "places" });
  const places = await page.locator("article .counts li:first-child b").allTextContents();
  const numbers = places.map((it) => Number(it.replaceAll(",", "")));
  assert.deepEqual(numbers, [...numbers].sort((one, other) => other - one));
  await page.selectOption("#order", { label: "rank" });

  await page.selectOption("#size", { index: 1 });
  const sizes = await page.locator("article .counts li:nth-child(3) b").allTextContents();
  assert.ok(sizes.every((it) => Number(it) <= 5), sizes.join());
  await page.selectOption("#size", { index: 0 });
  assert.equal(await articles.count(), all);
}

async function expands(page) {
  const first = page.locator("article").first();
  const toggle = first.locator(".toggle");
  assert.equal(await toggle.getAttribute("aria-expanded"), "false");
  await toggle.click();
  assert.equal(await toggle.getAttribute("aria-expanded"), "true");
  assert.ok(await first.locator(".places > li").count() > 0);
  const holes = await first.locator(".source .hole").allTextContents();
  const filled = await first.locator(".values-of h4 code").allTextContents();
  assert.deepEqual([...new Set(holes)].sort(), [...filled].sort());
  // The code at a place is the code in the file, numbered as there.
  const marked = first.locator(".places .line.marked").first();
  assert.ok(Number(await marked.getAttribute("data-number")) > 0);
  await toggle.click();
  assert.equal(await first.locator(".details").count(), 0);
  await first.locator(".source").click();
  assert.equal(await toggle.getAttribute("aria-expanded"), "true");
}

async function followsAPlace(page) {
  const place = page.locator("article.open .places > li").first();
  const where = await place.locator(".where").textContent();
  const [, line] = where.match(/:(\d+)$/);
  const opened = page.context().waitForEvent("page");
  await place.locator("a.where").click();
  const file = await opened;
  await file.waitForLoadState();
  const lines = (await file.textContent("body")).split("\n");
  const marked = await place.locator(".line.marked").first().textContent();
  assert.equal(lines[Number(line) - 1].trim(), marked.trim());
  await file.close();
}

async function followsANeighbour(page) {
  const opened = await page.locator("article").count();
  for (let index = 0; index < opened; index++) {
    const article = page.locator("article").nth(index);
    if (!(await article.evaluate((it) => it.classList.contains("open")))) await article.locator(".toggle").click();
    const link = article.locator(".neighbours a").first();
    if (!(await link.count())) continue;
    const target = (await link.getAttribute("href")).slice(1);
    await page.fill("#text", await article.locator(".source").textContent().then((it) => it.split("\n")[0]));
    await page.locator(`article:has(a[href="#${target}"]) .neighbours a[href="#${target}"]`).first().click();
    assert.equal(await page.evaluate(() => document.activeElement.id), target);
    assert.ok(await page.locator(`#${target}.open`).isVisible());
    assert.equal(new URL(page.url()).hash, `#${target}`);
    await page.fill("#text", "");
    return;
  }
  assert.fail("no idiom is part of another");
}

async function usesTheKeyboard(page, all) {
  await page.reload();
  await page.goto(page.url().split("#")[0]);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-posinset"));
  const isOpen = () => page.evaluate(() => document.activeElement.classList.contains("open"));
  await page.keyboard.press("j");
  assert.equal(await focused(), "1");
  await page.keyboard.press("j");
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), "3");
  await page.keyboard.press("k");
  await page.keyboard.press("ArrowUp");
  assert.equal(await focused(), "1");
  await page.keyboard.press("Enter");
  assert.ok(await isOpen());
  await page.keyboard.press("Escape");
  assert.ok(!(await isOpen()));
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement.id), "text");
  await page.keyboard.type("json");
  assert.ok(await page.locator("article").count() < all);
  await page.keyboard.press("Escape");
  assert.equal(await page.inputValue("#text"), "");
  await page.keyboard.press("Escape");
  assert.notEqual(await page.evaluate(() => document.activeElement.id), "text");
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible());
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("#help").isHidden());
}

async function usesTheMap(page, all) {
  await page.locator('.tile[aria-label^="web/:"]').click();
  const here = await page.locator("article").count();
  assert.ok(here > 0 && here < all);
  for (const id of await page.locator("article").evaluateAll((them) => them.map((it) => it.id))) {
    assert.match(id, /^js-/);
  }
  await page.locator('.tile[aria-label^="web/alpha.js:"]').click();
  assert.match(await page.textContent("#chips"), /web\/alpha\.js/);
  await page.locator("article .toggle").first().click();
  assert.match(await page.locator("article .where").first().textContent(), /^web\//);
  await page.locator("#crumbs button").first().click();
  assert.equal(await page.locator("article").count(), all);
  assert.ok(await page.locator('.tile[aria-label^="app/plugins <&>/"]').count() > 0);
}

async function changesTheColours(page) {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await background();
  await page.click("#theme-button");
  assert.notEqual(await background(), before);
  await page.click("#theme-button");
  assert.equal(await background(), before);
}

/** Light and dark, wide and narrow: nothing is wider than the screen. */
async function looks(report) {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 390]) {
      const page = await open(report, { colorScheme, viewport: { width, height: 900 } });
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      const content = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(content <= width, `${content} pixels on a screen of ${width}`);
      if (screenshots) {
        mkdirSync(screenshots, { recursive: true });
        await page.screenshot({ path: join(screenshots, `${colorScheme}-${width}.png`), fullPage: true });
      }
      await page.close();
    }
  }
}
