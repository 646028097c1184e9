import { spawn } from 'node:child_process';

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens an address in the user's browser. Does nothing if there is no browser, since the address was also printed. */
export function openBrowser(url: string): void {
  // The address is from a server, and an address of another scheme could start another program.
  if (/^https?:\/\//.test(url)) void open(url);
}

/**
 * Opens a page that this command has written. Resolves only if no browser can be opened.
 * @param url the URL of the page's file
 */
export function openPage(url: string): Promise<void> {
  return open(url);
}

function open(url: string): Promise<void> {
  const [program, ...programArguments] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...programArguments, url], { stdio: 'ignore', detached: true });
  const fails = new Promise<void>((resolve) => {
    child.on('error', () => resolve());
    // xdg-open exits with an error if it finds no browser.
    child.on('exit', (code) => {
      if (code !== 0) resolve();
    });
  });
  child.unref();
  return fails;
}
