import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A page on this machine that sends the key to the server, in a form: the key is in no address. The folder and the page are for
 * their owner alone.
 */
export async function writeLoginPage(
  dataDir: string,
  address: string,
  key: string,
): Promise<{ url: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(resolve(dataDir), 'console-'));
  const file = join(folder, 'sign-in.html');
  await writeFile(file, html(address, key), { mode: 0o600, flag: 'wx' });
  return { url: pathToFileURL(file).href, remove: () => rm(folder, { recursive: true, force: true }) };
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
