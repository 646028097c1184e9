import { readQuery } from '../http/query.js';
import { AdminError } from './admin.js';

/** A query parameter, as described in the OpenAPI document. */
export interface QueryParameter {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description?: string;
  /** True if the parameter may be sent several times. */
  readonly repeatable?: true;
}

/** Maximum length of a value, in characters. */
const VALUE_LIMIT = 2000;
/** Maximum number of entries of a page. The default is that of Keycloak. */
const MAX_PAGE_SIZE = 10_000;
const DEFAULT_PAGE_SIZE = 100;

export const PAGING = {
  first: { type: 'integer', description: 'Number of entries to skip.' },
  max: { type: 'integer', description: `Maximum number of entries; -1: the limit (${MAX_PAGE_SIZE}).` },
} as const satisfies Record<string, QueryParameter>;

/** The query parameters that the operation declares. Other parameters are ignored. */
export class AdminQuery {
  readonly #values = new Map<string, string[]>();

  /** Parses a query string. @throws AdminError 400 for a value of another type */
  constructor(querystring: string, declaredParameters: Readonly<Record<string, QueryParameter>>) {
    for (const [name, value] of readQuery(querystring)) {
      const parameter = Object.hasOwn(declaredParameters, name) ? declaredParameters[name] : undefined;
      if (parameter === undefined) continue;
      const earlier = this.#values.get(name);
      if (earlier !== undefined && parameter.repeatable !== true) throw invalidParameter(name, 'is repeated');
      if (value.length > VALUE_LIMIT) throw invalidParameter(name, `must have ${VALUE_LIMIT} characters at most`);
      if (value === '' && parameter.type !== 'string') continue;
      if (parameter.type === 'integer' && !/^-?\d{1,10}$/.test(value))
        throw invalidParameter(name, 'must be an integer');
      if (parameter.type === 'boolean' && !/^(true|false)$/i.test(value))
        throw invalidParameter(name, 'must be true or false');
      if (earlier === undefined) this.#values.set(name, [value]);
      else earlier.push(value);
    }
  }

  string(name: string): string | undefined {
    const value = this.#values.get(name)?.[0];
    return value === '' ? undefined : value;
  }

  all(name: string): readonly string[] {
    return (this.#values.get(name) ?? []).filter((value) => value !== '');
  }

  integer(name: string): number | undefined {
    const value = this.#values.get(name)?.[0];
    return value === undefined ? undefined : Number(value);
  }

  boolean(name: string): boolean | undefined {
    return this.#values.get(name)?.[0]?.toLowerCase().startsWith('t');
  }

  /**
   * Returns the page that `first` and `max` select. A negative `max` means the maximum.
   * @param max the size if the request has no `max`; `all` for a list that Keycloak then returns whole
   */
  page(max: number | 'all' = DEFAULT_PAGE_SIZE): { first: number; max: number } {
    const requestedMax = this.integer('max') ?? (max === 'all' ? MAX_PAGE_SIZE : max);
    return {
      first: Math.min(Math.max(this.integer('first') ?? 0, 0), 2 ** 31),
      max: requestedMax < 0 ? MAX_PAGE_SIZE : Math.min(requestedMax, MAX_PAGE_SIZE),
    };
  }
}

/** The items of one page. */
export function pageOf<T>(items: readonly T[], { first, max }: { first: number; max: number }): T[] {
  return items.slice(first, first + max);
}

function invalidParameter(name: string, reason: string): AdminError {
  return new AdminError(400, { error: 'invalid_request', error_description: `Query parameter ${name} ${reason}` });
}
