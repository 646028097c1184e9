import type { ProviderDefinition } from '../../plugin.js';

/** The methods that a declaration names, if it does: routes of a resource, rpcs of a service, operations of a page. */
export function operationNames(declaration: ProviderDefinition['declaration']): readonly string[] {
  const { routes, methods, operations } = declaration as Readonly<Record<string, object | undefined>>;
  return Object.keys(routes ?? methods ?? operations ?? {});
}
