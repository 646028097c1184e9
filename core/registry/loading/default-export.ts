/**
 * The default export of a module. Of CommonJS that a compiler wrote from `export default`, Node gives all exports as one; the
 * default one is the member `default`.
 */
export function defaultExport(imported: unknown): unknown {
  const exported = (imported as { readonly default?: unknown }).default;
  if (typeof exported !== 'object' || exported === null || !('__esModule' in exported)) return exported;
  return exported.__esModule === true && 'default' in exported ? exported.default : exported;
}
