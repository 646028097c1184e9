import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDER = 'console-';
/** A login has expired long before, in milliseconds. */
const LEFT_MS = 10 * 60_000;

/** Removes the pages of commands that were killed, as far as this user may. @param now milliseconds since the epoch */
export async function removeLeftPages(dataDir: string, now: number): Promise<void> {
  const names = (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith(FOLDER));
  for (const folder of names.map((name) => join(dataDir, name))) {
    const written = await stat(folder).catch(() => undefined);
    if (!written?.isDirectory() || now - written.mtimeMs <= LEFT_MS) continue;
    // One that cannot be removed is in nobody's way: its login has expired.
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/**
 * A page on this machine that sends the key to the server, in a form: the key is in no address. The folder and the page are for
 * their owner alone.
 */
export async function writeLoginPage(
  dataDir: string,
  address: string,
  key: string,
): Promise<{ url: string; remove: () => Promise<void>; removeNow: () => void }> {
  const folder = await mkdtemp(join(resolve(dataDir), FOLDER));
  const file = join(folder, 'sign-in.html');
  await writeFile(file, html(address, key), { mode: 0o600, flag: 'wx' });
  const all = { recursive: true, force: true };
  return { url: pathToFileURL(file).href, remove: () => rm(folder, all), removeNow: () => rmSync(folder, all) };
}

function html(address: string, key: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Keyhost</title>
<form method="post" action="${escaped(address)}">
<input type="hidden" name="key" value="${escaped(key)}">
<button>Sign in to the desk</button>
</form>
<script>document.forms[0].submit()</script>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
