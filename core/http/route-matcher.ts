import { Router } from '@koa/router';
import { decoded } from './realm-dispatch.js';

/**
 * Finds the route of a path and method. Paths may have parameters: `/users/{id}`, or `/files/{path*}` for one that
 * spans segments. For the Admin REST API and the routes of plugins; endpoints at fixed paths need no patterns.
 */
export class RouteMatcher<T> {
  readonly #router = new Router();
  readonly #byName = new Map<string, T>();

  /** The first route that matches wins. @throws Error if the path has this method already */
  add(method: string, path: string, value: T): void {
    const name = `${method} ${path}`;
    if (this.#byName.has(name)) throw new Error(`two routes serve ${name}`);
    this.#byName.set(name, value);
    const pattern = path.replace(/\{(\w+)(\*?)\}/g, (_, parameter, several) => `${several || ':'}${parameter}`);
    this.#router.register(pattern || '/', [method], () => {}, { name });
  }

  /** @throws HostError 400 for invalid percent-encoding */
  find(path: string, method: string): { value: T; params: Record<string, string> } | undefined {
    const layer = this.#router.match(path, method).pathAndMethod[0];
    const value = this.#byName.get(layer?.name ?? '');
    if (layer === undefined || value === undefined) return undefined;
    const params: Record<string, string> = {};
    const captures = path.match(layer.regexp)?.slice(1) ?? [];
    for (const [index, { name }] of layer.paramNames.entries()) params[name] = decoded(captures[index] ?? '');
    return { value, params };
  }

  /** The value of `Allow` for the path: the methods of its routes, HEAD and OPTIONS; empty if no route matches. */
  allowed(path: string): string[] {
    const methods = new Set(this.#router.match(path, 'GET').path.flatMap((layer) => layer.methods));
    if (methods.size === 0) return [];
    methods.delete('HEAD');
    return [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
  }
}
