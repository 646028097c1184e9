/** The part of JSON Schema that the schema of data files uses. */
export interface Shape {
  readonly type: 'object' | 'array' | 'string' | 'integer' | 'number';
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: false;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number | string;
}

/**
 * Fills defaults into a value, and checks its shape. Ajv explains what this rejects. A valid file is read without Ajv,
 * which takes longer to load than the rest of the plugin.
 */
export function fillDefaultsAndCheck(value: unknown, shape: Shape): boolean {
  const { type, minimum = -Infinity, maximum = Infinity } = shape;
  if (type === 'string') return typeof value === 'string';
  if (type === 'array')
    return Array.isArray(value) && value.every((item) => fillDefaultsAndCheck(item, shape.items as Shape));
  if (type === 'object') return fillAndCheckObject(value, shape);
  const isNumber = type === 'integer' ? Number.isInteger(value) : Number.isFinite(value);
  return isNumber && (value as number) >= minimum && (value as number) <= maximum;
}

function fillAndCheckObject(value: unknown, { properties = {}, required = [] }: Shape): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const members = value as Record<string, unknown>;
  for (const [name, { default: standard }] of Object.entries(properties)) {
    if (standard !== undefined && !Object.hasOwn(members, name)) members[name] = standard;
  }
  if (!required.every((name) => Object.hasOwn(members, name))) return false;
  return Object.entries(members).every(([name, member]) => {
    const shape = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return shape !== undefined && fillDefaultsAndCheck(member, shape);
  });
}
