import { Router } from '@koa/router';
import { decodeSegment } from './realm-dispatch.js';

/**
 * Finds the route of a path and method. Paths may have parameters: `/users/{id}`, or `/files/{path*}` for a parameter
 * that spans segments. The Admin REST API and the routes of plugins use it; endpoints at fixed paths need no patterns.
 */
export class RouteMatcher<T> {
  readonly #router = new Router();
  readonly #byName = new Map<string, T>();

  /** Adds a route. The first route that matches wins. @throws Error if the path already has this method */
  add(method: string, path: string, value: T): void {
    const name = `${method} ${path}`;
    if (this.#byName.has(name)) throw new Error(`two routes serve ${name}`);
    this.#byName.set(name, value);
    const pattern = path.replace(/\{(\w+)(\*?)\}/g, (_, parameter, star) => `${star || ':'}${parameter}`);
    this.#router.register(pattern || '/', [method], () => {}, { name });
  }

  /**
   * Finds the value of the route and the values of its parameters.
   * @throws HostError 400 for invalid percent-encoding
   */
  find(path: string, method: string): { value: T; params: Record<string, string> } | undefined {
    const layer = this.#router.match(path, method).pathAndMethod[0];
    const value = this.#byName.get(layer?.name ?? '');
    if (layer === undefined || value === undefined) return undefined;
    const params: Record<string, string> = {};
    const captures = path.match(layer.regexp)?.slice(1) ?? [];
    for (const [index, { name }] of layer.paramNames.entries()) params[name] = decodeSegment(captures[index] ?? '');
    return { value, params };
  }

  /**
   * Returns the methods for an `Allow` header: those of the path's routes, HEAD and OPTIONS. Empty if no route matches.
   */
  allowedMethods(path: string): string[] {
    const methods = new Set(this.#router.match(path, 'GET').path.flatMap((layer) => layer.methods));
    if (methods.size === 0) return [];
    methods.delete('HEAD');
    return [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS'];
  }
}
