/**
 * The part of JSON Schema (2020-12) that Keyhost can infer TypeScript types from. Other keywords are allowed and
 * checked, too.
 */
export interface JsonSchema {
  readonly type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean | null;
  /** The value that the host fills in if the property is absent. */
  readonly default?: unknown;
  readonly description?: string;
  /**
   * For a top-level member of `realmConfig` or `settings`, or for `value` of a password policy. True: only
   * administrators with `realm-admin` can change it. False: `manage-realm` suffices. Set it to false only if the
   * setting affects neither the recipients of mails and credentials nor the accepted proofs. Default: true for SPIs
   * that handle sensitive data (`Spi.carries`), else false.
   */
  readonly guarded?: boolean;
  readonly [keyword: string]: unknown;
}

type Simplify<T> = { [K in keyof T]: T[K] };
type RequiredKeys<S> = S extends { required: readonly (infer R)[] } ? R : never;
/** The properties that are always present: required ones, and those with a default, which the host fills in. */
type PresentKeys<P, S> = {
  [K in keyof P]: K extends RequiredKeys<S> ? K : P[K] extends { default: unknown } ? K : never;
}[keyof P];

type ObjectFromSchema<S> = S extends { properties: infer P }
  ? Simplify<
      { readonly [K in PresentKeys<P, S>]: FromSchema<P[K]> } & {
        readonly [K in Exclude<keyof P, PresentKeys<P, S>>]?: FromSchema<P[K]>;
      }
    >
  : S extends { additionalProperties: infer A extends JsonSchema }
    ? Readonly<Record<string, FromSchema<A>>>
    : Readonly<Record<string, Json>>;

/**
 * The TypeScript type of the values that a JSON Schema accepts. Declare the schema `as const`, or inline in `provide`.
 */
export type FromSchema<S> = S extends { const: infer C }
  ? C
  : S extends { enum: readonly (infer E)[] }
    ? E
    : S extends { type: 'string' }
      ? string
      : S extends { type: 'number' | 'integer' }
        ? number
        : S extends { type: 'boolean' }
          ? boolean
          : S extends { type: 'null' }
            ? null
            : S extends { type: 'array'; items: infer I }
              ? readonly FromSchema<I>[]
              : S extends { type: 'object' }
                ? ObjectFromSchema<S>
                : Json;

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };
