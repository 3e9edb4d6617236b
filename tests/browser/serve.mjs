// Starts `patois serve` on a small database and uses its page as people do.
//
//     node serve.mjs PATOIS MODEL DATABASE [SCREENSHOTS]
//
// PATOIS is the program, MODEL the folder of a run, DATABASE a SQLite file, SCREENSHOTS a folder for pictures. The model may be one that knows
// next to nothing: whatever it answers can be looked at, edited and corrected. The browser is the system's Chromium, or
// what CHROMIUM names. Exit code 77 says that there is no browser, or no playwright-core to drive it.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SKIPPED = 77;
const [program, model, database, screenshots] = process.argv.slice(2);
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

const QUESTION = "How many pets are there?";
const folder = mkdtempSync(join(tmpdir(), "patois-serve-"));
const errors = [];
let browser;
let server;
try {
  const file = join(folder, "clinic.sqlite");
  copyFileSync(database, file);
  const url = await start(file);
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  await asks(url);
  await takesAnAlternative(url);
  await editsAndCorrects(url, file);
  await drawsAndDownloads(url);
  await refuses(url);
  await completes(url);
  await browsesTables(url);
  await usesTheKeyboardOnly(url);
  await followsTheAddress(url);
  await looks(url);
} finally {
  await browser?.close();
  server?.kill("SIGINT");
  rmSync(folder, { recursive: true, force: true });
}
assert.deepEqual(errors, [], "errors in the console");
console.log("the page works");

/** Starts the server; its first line is the address. */
function start(file) {
  server = spawn(program, ["serve", file, "--model", model, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    server.stdout.once("data", (line) => resolve(String(line).trim()));
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

async function open(url, options) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.on("console", (message) => { if (message.type() === "error") errors.push(message.text()); });
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("request", (request) => {
    const isOurs = request.url().startsWith(new URL(url).origin) || request.url().startsWith("blob:");
    if (!isOurs) errors.push(`asked the network for ${request.url()}`);
  });
  await page.goto(url);
  await page.locator(".schema-table").first().waitFor({ state: "attached" });
  return page;
}

async function ask(page, question) {
  await page.fill("#question", question);
  await page.click("#ask-button");
  await page.locator("#answer[aria-busy]").waitFor({ state: "detached" });
  await page.locator("#answer-title").waitFor();
}

async function runQuery(page, sql) {
  await page.fill("#sql", sql);
  await page.click("#run");
  await page.getByText("Edited by you").waitFor();
  await page.locator("#answer[aria-busy]").waitFor({ state: "detached" });
}

function sqlOf(page) {
  return page.inputValue("#sql");
}

function addressOf(page) {
  return new URLSearchParams(new URL(page.url()).hash.slice(1));
}

async function asks(url) {
  const page = await open(url);
  assert.match(await page.title(), /clinic/);
  assert.ok(await page.locator(".idea").count() > 0, "questions to begin with");
  await ask(page, QUESTION);
  assert.match(await sqlOf(page), /^SELECT/);
  assert.ok(await page.locator(".sql-keyword").count() > 0, "the query has colours");
  assert.match(await page.locator(".sure").textContent(), /\d %/);
  assert.equal(addressOf(page).get("q"), QUESTION);
  assert.match(addressOf(page).get("sql"), /^SELECT/);
  // Those who listen are told.
  assert.notEqual(await page.textContent("#status"), "");
  await page.close();
}

async function takesAnAlternative(url) {
  const page = await open(url);
  await ask(page, QUESTION);
  const other = page.locator(".alternative").first();
  const words = await other.locator(".alternative-words").textContent();
  const before = await sqlOf(page);
  await other.click();
  assert.notEqual(await sqlOf(page), before);
  assert.equal(await page.textContent("#answer-title"), words);
  assert.equal(addressOf(page).get("sql"), (await sqlOf(page)).replaceAll("\n", " "));
  // The first one is an alternative now.
  assert.equal(await page.locator('.alternative[data-program="0"]').count(), 1);
  await page.goBack();
  await page.waitForFunction((sql) => document.getElementById("sql")?.value === sql, before);
  await page.close();
}

async function editsAndCorrects(url, file) {
  const page = await open(url);
  await ask(page, "What is the answer?");
  await runQuery(page, "DELETE FROM owner");
  assert.match(await page.locator(".failed").textContent(), /only reads/);
  assert.equal(await page.locator("#confirm").count(), 0);
  await runQuery(page, "SELECT 42 AS answer");
  assert.match(await page.locator(".single").textContent(), /^42/);
  await page.click("#confirm");
  await page.getByText("Remembered for this question.").waitFor();
  const lines = readFileSync(`${file}.patois`, "utf8").trim().split("\n").map((it) => JSON.parse(it));
  assert.deepEqual(lines.at(-1), { kind: "lesson", question: "What is the answer?", code: "SELECT 42 AS answer" });
  await ask(page, "what is the answer");
  assert.equal(await sqlOf(page), "SELECT 42 AS answer");
  assert.match(await page.locator(".sure").textContent(), /You said/);
  await page.close();
}

async function drawsAndDownloads(url) {
  const page = await open(url);
  await ask(page, QUESTION);
  const union = (rows) => rows.map(([label, number]) => `SELECT '${label}' AS label, ${number} AS number`).join(" UNION ALL ");
  await runQuery(page, union([["a, \"b\"", 3], ["<b>bold</b>", 2], ["c", -1]]));
  assert.equal(await page.locator(".chart .bar").count(), 3);
  assert.equal(await page.locator("#answer b").count(), 0, "values are no markup");
  assert.equal(await page.locator(".result caption").count(), 1);
  const started = page.waitForEvent("download");
  await page.click("#download");
  const download = await started;
  assert.equal(download.suggestedFilename(), "answer.csv");
  const text = readFileSync(await download.path(), "utf8");
  assert.equal(text, 'label,number\r\n"a, ""b""",3\r\n<b>bold</b>,2\r\nc,-1\r\n');
  await runQuery(page, union([["2020-01", 3], ["2020-02", 5], ["2020-04", 4]]));
  await page.locator(".chart .line").waitFor();
  assert.equal(await page.locator(".chart .line").count(), 1);
  await runQuery(page, "SELECT 1.5 AS x, 2 AS y UNION ALL SELECT 2, 9 UNION ALL SELECT 9, 1");
  await page.locator(".chart .dot").first().waitFor();
  assert.equal(await page.locator(".chart .dot").count(), 3);
  await runQuery(page, "SELECT 9007199254740993 AS long");
  assert.match(await page.locator(".single").textContent(), /^9007199254740993/);
  await page.close();
}

async function refuses(url) {
  const page = await open(url);
  await ask(page, "Delete all owners");
  assert.equal(await page.textContent("#answer-title"), "No answer");
  assert.match(await page.locator(".why").textContent(), /only read/);
  await page.close();
}

async function completes(url) {
  const page = await open(url);
  const first = await page.locator(".schema-name").first().textContent();
  await page.type("#question", `How many ${first.slice(0, 3)}`);
  await page.locator("#completions li").first().waitFor();
  assert.equal(await page.getAttribute("#question", "aria-expanded"), "true");
  await page.keyboard.press("ArrowDown");
  const chosen = await page.getAttribute("#question", "aria-activedescendant");
  const text = await page.locator(`#${chosen} .completion-text`).textContent();
  await page.keyboard.press("Enter");
  assert.equal(await page.inputValue("#question"), `How many ${text} `);
  assert.ok(await page.locator("#completions").isHidden());
  assert.equal(await page.locator("#answer-title").count(), 0, "nothing was asked yet");
  await page.close();
}

async function browsesTables(url) {
  const page = await open(url);
  const names = await page.locator(".schema-name").allTextContents();
  await page.fill("#schema-search", names[1]);
  assert.ok(await page.locator(".schema-table").count() < names.length || names.length === 1);
  await page.fill("#schema-search", "nobody calls it that");
  assert.equal(await page.locator(".schema-table").count(), 0);
  await page.fill("#schema-search", "");
  const table = page.locator(`.schema-table[data-table="${names[0]}"]`);
  if (!(await table.evaluate((it) => it.open))) await table.locator("summary").click();
  await table.getByText("Show rows").click();
  await page.locator("#sample table").waitFor();
  assert.ok(await page.locator("#sample tbody tr").count() > 0);
  await page.keyboard.press("Escape");
  assert.ok(await page.locator("#sample").isHidden());
  await table.locator(".schema-actions .called").click();
  await table.locator(".schema-actions .called-form input").fill("those who come");
  await page.keyboard.press("Enter");
  await table.getByText("called “those who come”").waitFor();
  await page.close();
}

/** Everything there is to do, without a mouse. */
async function usesTheKeyboardOnly(url) {
  const page = await open(url);
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.className);
  const tabTo = async (name) => {
    for (let n = 0; n < 60; n++) {
      if ((await focused()).includes(name)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`no way to ${name} with the keyboard`);
  };
  assert.equal(await focused(), "question");
  await page.keyboard.type(QUESTION);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Enter");
  await page.locator("#answer-title").waitFor();
  const before = await sqlOf(page);
  await tabTo("alternative");
  await page.keyboard.press("Enter");
  await page.waitForFunction((sql) => document.getElementById("sql")?.value !== sql, before);
  await page.keyboard.press("1");
  assert.equal(await sqlOf(page), before);
  await tabTo("sql");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("SELECT 7 AS seven");
  await page.keyboard.press("Control+Enter");
  await page.locator(".single").getByText("7").waitFor();
  await tabTo("confirm");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(), "sql", "the query is no trap");
  await page.locator("#answer").focus();
  await page.keyboard.press("/");
  assert.equal(await focused(), "question");
  await page.close();
}

async function followsTheAddress(url) {
  const sql = "SELECT 1 AS one, 'x' AS other";
  const page = await open(`${url}#${new URLSearchParams({ q: QUESTION, sql })}`);
  await page.getByText("Edited by you").waitFor();
  assert.equal(await sqlOf(page), sql);
  await ask(page, "Who is there?");
  assert.ok(await page.locator("#history a").count() > 0);
  await page.locator("#history a").first().click();
  await page.waitForFunction((it) => document.getElementById("question").value === it, QUESTION);
  await page.getByText("Edited by you").waitFor();
  await page.reload();
  await page.getByText("Edited by you").waitFor();
  assert.equal(await sqlOf(page), sql);
  await page.close();
}

/** Light and dark, wide and narrow: nothing is wider than the screen. */
async function looks(url) {
  const wide = `SELECT ${Array.from({ length: 30 }, (_, n) => `'a rather long value' AS column_${n}`).join(", ")}`;
  const pages = { start: "", answer: new URLSearchParams({ q: QUESTION }), wide: new URLSearchParams({ q: QUESTION, sql: wide }) };
  const backgrounds = new Set();
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1280, 390]) {
      for (const [name, address] of Object.entries(pages)) {
        const page = await open(`${url}#${address}`, { colorScheme, viewport: { width, height: 900 } });
        if (address) await page.locator("#answer-title").waitFor();
        if (name === "wide") await page.getByText("Edited by you").waitFor();
        const content = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(content <= width, `${name}: ${content} pixels on a screen of ${width}`);
        backgrounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
        if (screenshots) {
          mkdirSync(screenshots, { recursive: true });
          await page.screenshot({ path: join(screenshots, `serve-${name}-${colorScheme}-${width}.png`), fullPage: true });
        }
        await page.close();
      }
    }
  }
  assert.equal(backgrounds.size, 2, "light and dark");
  const page = await open(url);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await background();
  await page.click("#theme-button");
  assert.notEqual(await background(), before);
  await page.reload();
  assert.notEqual(await background(), before, "what was chosen is kept");
  await page.close();
}
