import type { Json, MappedClaims, MapperInput } from '@keyhost/spi';
import { claimValue } from '../../config/json/claim-values.js';
import { JSON_DEPTH_LIMIT } from '../../config/json/json-depth.js';
import { claimPath } from '../../model/claim-path.js';

export const NOTHING: MappedClaims = Object.freeze({});

/** The value does not fit the mapper's type: the claim is left out of the token, and the log reports it. */
export class UnfitValue extends Error {}

type Values = string | readonly string[] | undefined;

/**
 * Values under the mapper's `claim.name`, as in Keycloak: a whole list with `multivalued`, else its first element, each
 * converted to the `jsonType.label`.
 * @throws UnfitValue
 */
export function claim(config: MapperInput['config'], values: Values): MappedClaims {
  const name = config['claim.name'];
  if (name === undefined || claimPath(name).length > JSON_DEPTH_LIMIT) return NOTHING;
  const value = typed(config, values);
  return value === undefined ? NOTHING : { [name]: value };
}

/**
 * The value of a claim; undefined if there is none.
 * @throws UnfitValue
 */
export function typed(config: MapperInput['config'], values: Values): Json | undefined {
  const type = config['jsonType.label'];
  // Elements that do not fit the type become null in a list, as in Keycloak.
  if (typeof values === 'object' && values.length > 0 && config.multivalued === 'true') {
    return values.map((text) => claimValue(type, text) ?? null);
  }
  const text = typeof values === 'object' ? values[0] : values;
  if (text === undefined) return undefined;
  const value = claimValue(type, text);
  if (value === undefined) throw new UnfitValue(`the value is no ${type}`);
  return value;
}
