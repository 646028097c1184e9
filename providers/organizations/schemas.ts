/** One line of text: no control characters, which could begin a new line in a mail or a log. */
const LINE = '^[^\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}]*$';
const MUST_BE = 'one line of text';

const line = (maxLength: number, minLength = 0) =>
  ({ type: 'string', minLength, maxLength, pattern: LINE, mustBe: MUST_BE }) as const;

/** A member that Java clients send as `null` when it has no value. */
const optionalLine = (maxLength: number) => ({ ...line(maxLength), nullable: true }) as const;

const ATTRIBUTES = {
  type: 'object',
  maxProperties: 100,
  propertyNames: { minLength: 1, maxLength: 255, pattern: LINE },
  additionalProperties: { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 2048 } },
  nullable: true,
} as const;

/** An ID, which callers may choose. */
export const ID_PATTERN = '^[A-Za-z0-9-]{1,36}$';
const ID = { type: 'string', pattern: ID_PATTERN, nullable: true } as const;

export const ORGANIZATION = {
  type: 'object',
  properties: {
    id: ID,
    name: { ...line(255, 1), pattern: `^(?=.*\\S)${LINE.slice(1)}`, mustBe: MUST_BE },
    displayName: optionalLine(255),
    url: optionalLine(2048),
    realm: { type: 'string', nullable: true },
    domains: {
      type: 'array',
      maxItems: 100,
      uniqueItems: true,
      items: { type: 'string', format: 'hostname' },
      nullable: true,
    },
    attributes: ATTRIBUTES,
  },
  required: ['name'],
  additionalProperties: false,
} as const;

export const ROLE = {
  type: 'object',
  properties: {
    id: { type: 'string', maxLength: 36, nullable: true },
    name: line(255, 1),
    description: optionalLine(255),
  },
  required: ['name'],
  additionalProperties: false,
} as const;

export const INVITATION = {
  type: 'object',
  properties: {
    email: { type: 'string', format: 'email', maxLength: 254 },
    inviterId: { type: 'string', maxLength: 255, nullable: true },
    send: { type: 'boolean', default: false },
    redirectUri: { type: 'string', maxLength: 2048, nullable: true },
    roles: { type: 'array', maxItems: 100, uniqueItems: true, items: line(255, 1), nullable: true },
    attributes: ATTRIBUTES,
  },
  required: ['email'],
  additionalProperties: false,
} as const;
