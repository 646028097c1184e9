import { Router } from '@koa/router';
import { decoded } from '../http/realm-dispatch.js';
import type { AdminOperation } from './operation.js';

const BASE = { realm: '/realms/{realm}', realms: '/realms', server: '' } as const;

/** The full path of an operation below `/admin`, with its parameters in braces. */
export function pathOf({ scope = 'realm', path }: AdminOperation): string {
  return BASE[scope] + path;
}

/** Finds the operation of a path. The more exact path wins: `/users/count` before `/users/{userId}`. */
export class AdminRoutes {
  readonly #router = new Router();
  readonly #byName = new Map<string, AdminOperation>();

  constructor(operations: readonly AdminOperation[]) {
    for (const operation of [...operations].sort((a, b) => rank(a).localeCompare(rank(b)))) {
      const path = pathOf(operation);
      const name = `${operation.method} ${path}`;
      if (this.#byName.has(name)) throw new Error(`two admin operations serve ${name}`);
      this.#byName.set(name, operation);
      const pattern = path.replace(/\{(\w+)(\*?)\}/g, (_, parameter, several) => `${several || ':'}${parameter}`);
      this.#router.register(pattern || '/', [operation.method], () => {}, { name });
    }
  }

  /** @throws HostError 400 for broken percent-encoding */
  find(path: string, method: string): { operation: AdminOperation; params: Record<string, string> } | undefined {
    const layer = this.#router.match(path, method).pathAndMethod[0];
    const operation = layer?.name === undefined ? undefined : this.#byName.get(layer.name);
    if (layer === undefined || operation === undefined) return undefined;
    const params: Record<string, string> = {};
    const captures = path.match(layer.regexp)?.slice(1) ?? [];
    for (const [index, { name }] of layer.paramNames.entries()) params[name] = decoded(captures[index] ?? '');
    return { operation, params };
  }

  /** What may be done with a path; empty where there is none. */
  methods(path: string): string[] {
    const methods = this.#router.match(path, 'GET').path.flatMap((layer) => layer.methods);
    return methods.length === 0 ? [] : [...new Set([...methods, 'OPTIONS'])];
  }
}

/** Sorts words before parameters, segment by segment. */
function rank(operation: AdminOperation): string {
  return pathOf(operation)
    .split('/')
    .map((part) => (part.startsWith('{') ? (part.endsWith('*}') ? '~~' : '~') : `!${part}`))
    .join('/');
}
