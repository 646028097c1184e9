/** Schemes of addresses whose content is in the address itself, and which a browser runs or displays. */
const SCRIPT = /^(javascript|data|vbscript):/i;

/**
 * True for an address that a browser runs as a script instead of opening it. Before a browser reads the scheme, it
 * removes leading control characters and spaces, and every tab and line break (URL Standard §4.4).
 */
export function runsScript(address: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it leaves out
  return SCRIPT.test(address.replace(/^[\u0000-\u0020]+/, '').replaceAll(/[\t\n\r]/g, ''));
}

/**
 * True for an address that a browser would change before it opens it: it contains control characters, or starts or ends
 * with white space.
 */
export function isRewritten(address: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  return /[\u0000-\u001f\u007f]|^\s|\s$/.test(address);
}
