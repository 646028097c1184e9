/** A name for a value in the container that carries the value's type. */
export type Token<T> = (symbol | string) & { readonly carries?: (value: T) => T };

/** The name of a list to which several modules add. */
export type List<T> = (symbol | string) & { readonly lists?: (value: T) => T };

/** What a service is found by: its class, or a token where it is known by an interface. */
export type Key<T> = Token<T> | (abstract new (...parts: never[]) => T);

/** A key of whatever it is. */
export type AnyKey = symbol | string | (abstract new (...parts: never[]) => unknown);

export function token<T>(name: string): Token<T> {
  return Symbol(name) as Token<T>;
}

export function list<T>(name: string): List<T> {
  return Symbol(name) as List<T>;
}

/** What errors call it. */
export function nameOf(key: AnyKey): string {
  if (typeof key === 'string') return key;
  return typeof key === 'symbol' ? (key.description ?? 'a service without a name') : key.name;
}
