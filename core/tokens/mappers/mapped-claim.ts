import type { Json, MappedClaims, MapperInput } from '@keyhost/spi';
import { JSON_DEPTH_LIMIT, tooDeep } from '../../config/json/json-depth.js';

export const NOTHING: MappedClaims = Object.freeze({});

/**
 * A value under the mapper's `claim.name`, as its `jsonType.label` says. Nothing, where it is none of that type, or lies deeper than a
 * token can be written.
 */
export function claim(config: MapperInput['config'], value: Json | undefined): MappedClaims {
  const name = config['claim.name'];
  if (name === undefined || name === '' || value === undefined || value === '') return NOTHING;
  if (name.split('.').length > JSON_DEPTH_LIMIT) return NOTHING;
  const typed = Array.isArray(value)
    ? value.map((item) => convert(item, config['jsonType.label']))
    : convert(value, config['jsonType.label']);
  return typed === undefined ? NOTHING : { [name]: typed as Json };
}

function convert(value: Json, type: string | undefined): Json | undefined {
  switch (type) {
    case 'boolean':
      return typeof value === 'boolean' ? value : value === 'true';
    case 'long':
    case 'int': {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : undefined;
    }
    case 'JSON':
      if (tooDeep(String(value)) !== undefined) return undefined;
      try {
        return JSON.parse(String(value)) as Json;
      } catch {
        return undefined;
      }
    default:
      return typeof value === 'boolean' ? value : String(value);
  }
}
