import { readQuery } from '../http/query.js';
import { AdminError } from './admin.js';

/** A query parameter, as the OpenAPI document shows it. */
export interface QueryParameter {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description?: string;
  /** May be given several times. */
  readonly repeatable?: true;
}

/** Maximum length of a value, in characters. */
const VALUE_LIMIT = 2000;
/** Maximum size of a page. Without `max` it is 100, as in Keycloak. */
const PAGE_LIMIT = 10_000;
const DEFAULT_PAGE = 100;

export const PAGING = {
  first: { type: 'integer', description: 'Number of entries to skip.' },
  max: { type: 'integer', description: `Maximum number of entries; -1: the limit (${PAGE_LIMIT}).` },
} as const satisfies Record<string, QueryParameter>;

/** The query parameters that the operation declares. Other parameters are ignored. */
export class AdminQuery {
  readonly #values = new Map<string, string[]>();

  /** @throws AdminError 400 for a value of another type */
  constructor(querystring: string, declared: Readonly<Record<string, QueryParameter>>) {
    for (const [name, value] of readQuery(querystring)) {
      const parameter = Object.hasOwn(declared, name) ? declared[name] : undefined;
      if (parameter === undefined) continue;
      const before = this.#values.get(name);
      if (before !== undefined && parameter.repeatable !== true) throw invalid(name, 'is repeated');
      if (value.length > VALUE_LIMIT) throw invalid(name, `must have ${VALUE_LIMIT} characters at most`);
      if (value === '' && parameter.type !== 'string') continue;
      if (parameter.type === 'integer' && !/^-?\d{1,10}$/.test(value)) throw invalid(name, 'must be an integer');
      if (parameter.type === 'boolean' && !/^(true|false)$/i.test(value)) throw invalid(name, 'must be true or false');
      if (before === undefined) this.#values.set(name, [value]);
      else before.push(value);
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
   * The page of `first` and `max`. A negative `max` means the maximum.
   * @param max the size without a `max` parameter; undefined: the maximum
   */
  page(max: number | undefined = DEFAULT_PAGE): { first: number; max: number } {
    const wanted = this.integer('max') ?? max ?? PAGE_LIMIT;
    return {
      first: Math.min(Math.max(this.integer('first') ?? 0, 0), 2 ** 31),
      max: wanted < 0 ? PAGE_LIMIT : Math.min(wanted, PAGE_LIMIT),
    };
  }
}

/** The items of one page. */
export function pageOf<T>(items: readonly T[], { first, max }: { first: number; max: number }): T[] {
  return items.slice(first, first + max);
}

function invalid(name: string, reason: string): AdminError {
  return new AdminError(400, { error: 'invalid_request', error_description: `Query parameter ${name} ${reason}` });
}
