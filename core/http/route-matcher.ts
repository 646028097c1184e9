import { Router } from '@koa/router';
import { decoded } from './realm-dispatch.js';

/**
 * Finds what serves a path and method among routes with parameters: `/users/{id}`, or `/files/{path*}` for one that spans
 * segments. For the Admin REST API and the routes of plugins; endpoints at fixed paths need no pattern.
 */
export class RouteMatcher<T> {
  readonly #router = new Router();
  readonly #byName = new Map<string, T>();

  /** What was added first wins. @throws Error when the same path has the method already */
  add(method: string, path: string, value: T): void {
    const name = `${method} ${path}`;
    if (this.#byName.has(name)) throw new Error(`two routes serve ${name}`);
    this.#byName.set(name, value);
    const pattern = path.replace(/\{(\w+)(\*?)\}/g, (_, parameter, several) => `${several || ':'}${parameter}`);
    this.#router.register(pattern || '/', [method], () => {}, { name });
  }

  /** @throws HostError 400 for broken percent-encoding */
  find(path: string, method: string): { value: T; params: Record<string, string> } | undefined {
    const layer = this.#router.match(path, method).pathAndMethod[0];
    const value = this.#byName.get(layer?.name ?? '');
    if (layer === undefined || value === undefined) return undefined;
    const params: Record<string, string> = {};
    const captures = path.match(layer.regexp)?.slice(1) ?? [];
    for (const [index, { name }] of layer.paramNames.entries()) params[name] = decoded(captures[index] ?? '');
    return { value, params };
  }

  /** What `Allow` says of the path: the methods of its routes, HEAD and OPTIONS; empty where nothing serves it. */
  allowed(path: string): string[] {
    const methods = new Set(this.#router.match(path, 'GET').path.flatMap((layer) => layer.methods));
    if (methods.size === 0) return [];
    methods.delete('HEAD');
    return [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
  }
}
