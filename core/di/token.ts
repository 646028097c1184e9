/** A key of a value in the container. `carries` never exists; it only binds the type of the value to the key. */
export type Token<T> = (symbol | string) & { readonly carries?: (value: T) => T };

/** The key of a list to which several modules add items. */
export type List<T> = (symbol | string) & { readonly lists?: (value: T) => T };

/** The key of a service: its class, or a token for an interface. */
export type Key<T> = Token<T> | (abstract new (...parts: never[]) => T);

/** A key of any type. */
export type AnyKey = symbol | string | (abstract new (...parts: never[]) => unknown);

export function token<T>(name: string): Token<T> {
  return Symbol(name) as Token<T>;
}

export function list<T>(name: string): List<T> {
  return Symbol(name) as List<T>;
}

/** Returns the name of a key for messages. */
export function nameOf(key: AnyKey): string {
  if (typeof key === 'string') return key;
  return typeof key === 'symbol' ? (key.description ?? 'a service without a name') : key.name;
}
