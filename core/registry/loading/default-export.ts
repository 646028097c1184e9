/**
 * Returns the default export of a module. If a compiler translated `export default` to CommonJS, Node returns all
 * exports as the default one; the real one is its member `default`.
 */
export function defaultExport(importedModule: unknown): unknown {
  const exported = (importedModule as { readonly default?: unknown }).default;
  if (typeof exported !== 'object' || exported === null || !('__esModule' in exported)) return exported;
  return exported.__esModule === true && 'default' in exported ? exported.default : exported;
}
