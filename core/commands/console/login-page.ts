import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const FOLDER_PREFIX = 'console-';
/** The age after which a page is considered abandoned, in milliseconds. It is far more than the lifetime of a login. */
const ABANDONED_MS = 10 * 60_000;

/** Removes the pages of commands that were killed, as far as this user may. @param now milliseconds since the epoch */
export async function removeAbandonedPages(dataDir: string, now: number): Promise<void> {
  const names = (await readdir(dataDir).catch(() => [])).filter((name) => name.startsWith(FOLDER_PREFIX));
  for (const folder of names.map((name) => join(dataDir, name))) {
    const folderState = await stat(folder).catch(() => undefined);
    if (!folderState?.isDirectory() || now - folderState.mtimeMs <= ABANDONED_MS) continue;
    // A page that cannot be removed is harmless: its login has expired.
    await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/**
 * Writes a page that sends the login's key to the server in a form, so that no URL contains the key. Only the owner can
 * read the folder and the page.
 */
export async function writeLoginPage(
  dataDir: string,
  address: string,
  key: string,
): Promise<{ url: string; remove: () => Promise<void>; removeNow: () => void }> {
  const folder = await mkdtemp(join(resolve(dataDir), FOLDER_PREFIX));
  const file = join(folder, 'sign-in.html');
  await writeFile(file, loginPage(address, key), { mode: 0o600, flag: 'wx' });
  const removeOptions = { recursive: true, force: true };
  return {
    url: pathToFileURL(file).href,
    remove: () => rm(folder, removeOptions),
    removeNow: () => rmSync(folder, removeOptions),
  };
}

function loginPage(address: string, key: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Keyhost</title>
<form method="post" action="${escapeHtml(address)}">
<input type="hidden" name="key" value="${escapeHtml(key)}">
<button>Sign in to the admin console</button>
</form>
<script>document.forms[0].submit()</script>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
