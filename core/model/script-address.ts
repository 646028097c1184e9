/** Schemes of addresses that contain a script or a document, which a browser runs or shows. */
const SCRIPT = /^(javascript|data|vbscript):/i;

/**
 * True for an address that contains a script or a document itself, instead of locating one. Before a browser reads the
 * scheme, it removes leading control characters and spaces, and every tab and line break (URL Standard §4.4).
 */
export function isScriptAddress(address: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  return SCRIPT.test(address.replace(/^[\u0000-\u0020]+/, '').replaceAll(/[\t\n\r]/g, ''));
}

/**
 * True for an address that a browser changes before opening it, since it contains control characters, or begins or ends
 * with white space.
 */
export function isChangedByBrowser(address: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  return /[\u0000-\u001f\u007f]|^\s|\s$/.test(address);
}
