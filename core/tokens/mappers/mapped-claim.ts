import type { Json, MappedClaims, MapperInput } from '@keyhost/spi';
import { claimValue } from '../../config/json/claim-values.js';
import { JSON_DEPTH_LIMIT } from '../../config/json/json-depth.js';
import { claimPath } from '../../model/claim-path.js';

export const NO_CLAIMS: MappedClaims = Object.freeze({});

/** The value cannot be converted to the mapper's type. The token then lacks the claim, and the log reports it. */
export class UnfitValue extends Error {}

type Values = string | readonly string[] | undefined;

/**
 * The claim `claim.name` with these values, as in Keycloak: the whole list with `multivalued`, else its first element.
 * Each value is converted to the `jsonType.label`.
 * @throws UnfitValue
 */
export function buildClaim(config: MapperInput['config'], values: Values): MappedClaims {
  const name = config['claim.name'];
  if (name === undefined || claimPath(name).length > JSON_DEPTH_LIMIT) return NO_CLAIMS;
  const value = convertValues(config, values);
  return value === undefined ? NO_CLAIMS : { [name]: value };
}

/**
 * The values converted to the mapper's type; undefined if there are none.
 * @throws UnfitValue
 */
export function convertValues(config: MapperInput['config'], values: Values): Json | undefined {
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
