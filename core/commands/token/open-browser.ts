import { spawn } from 'node:child_process';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address in the user's browser, without a shell. Where there is none, the address has been printed. */
export function openBrowser(url: string): void {
  // The address comes from a server: one of another scheme would start another program.
  if (/^https?:\/\//.test(url)) open(url);
}

/** Opens a page that this command has written. @param url of the file */
export function openPage(url: string): void {
  open(url);
}

function open(url: string): void {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...words, url], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}
