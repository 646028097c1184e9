import { HostError, type JsonSchema, type PluginMail } from '@keyhost/spi';
import { formatPath } from '../../config/json/json-document.js';
import { compileSchema, schemaProblems } from '../../config/json/schema-check.js';
import { isEmailAddress } from '../../model/email-address.js';
import { uncloneable } from '../../registry/sessions/cloneable.js';

/** Maximum length of all texts of a mail together, in characters. */
const LONGEST = 128 * 1024;

const TEXT = { type: 'string', maxLength: 64 * 1024 } as const;
const MESSAGE = {
  type: 'object',
  properties: {
    key: TEXT,
    params: { type: 'array', items: TEXT, maxItems: 10 },
    texts: { type: 'object', additionalProperties: TEXT },
  },
  required: ['key'],
  additionalProperties: false,
} as const;
const PARAGRAPHS = { type: 'array', items: MESSAGE, maxItems: 50 } as const;
const RECIPIENT = {
  type: 'object',
  properties: {
    userId: { type: 'string' },
    typedName: { type: 'string', maxLength: 1024 },
    address: { type: 'string', maxLength: 320 },
    name: { type: 'string', maxLength: 255 },
    locale: { type: 'string', maxLength: 35 },
  },
  additionalProperties: false,
} as const;
const MAIL: JsonSchema = {
  type: 'object',
  properties: {
    to: RECIPIENT,
    subject: MESSAGE,
    before: PARAGRAPHS,
    link: {
      type: 'object',
      properties: { label: MESSAGE, url: { type: 'string', maxLength: 8192, pattern: '^https?://' } },
      required: ['label', 'url'],
      additionalProperties: false,
    },
    after: PARAGRAPHS,
    template: {
      type: 'object',
      properties: { text: TEXT, html: TEXT, values: { type: 'object', additionalProperties: MESSAGE } },
      required: ['text', 'html'],
      additionalProperties: false,
    },
    key: { type: 'string', minLength: 1, maxLength: 200 },
    expiresIn: { type: 'integer', minimum: 1, maximum: 604_800 },
    event: { enum: ['EXECUTE_ACTIONS', 'SEND_IDENTITY_PROVIDER_LINK', 'SEND_RESET_PASSWORD', 'SEND_VERIFY_EMAIL'] },
  },
  required: ['to', 'subject'],
  additionalProperties: false,
};

/**
 * Validates a plugin's mail and returns a copy, which the plugin cannot change any more.
 * @throws HostError `invalid_argument`
 */
export function checkedMail(given: PluginMail): PluginMail {
  const part = uncloneable(given);
  if (part !== undefined) throw wrong(`${part} is not plain data`);
  const mail = cloned(given);
  const check = compileSchema(MAIL);
  if (!check(mail)) {
    const problems = schemaProblems(check).map(({ path, message }) => `${formatPath(['mail', ...path])} ${message}`);
    throw wrong(problems.join('; '));
  }
  const { to, template, before = [], link, after = [] } = mail;
  const forms = [template !== undefined, before.length > 0 || link !== undefined || after.length > 0];
  if (forms.filter(Boolean).length !== 1) throw wrong('set a template, or paragraphs and a link, and not both');
  const keys = Object.keys(to);
  const isNamed = 'typedName' in to && keys.every((key) => key === 'typedName' || key === 'userId');
  if (!isNamed && ('userId' in to ? keys.length > 1 : !('address' in to) || 'typedName' in to)) {
    throw wrong('mail.to is { userId }, { typedName, userId } or { address, name, locale }');
  }
  if ('address' in to && !isEmailAddress(to.address)) throw wrong('mail.to.address is not an email address');
  if (JSON.stringify(mail).length > LONGEST) throw wrong(`a mail has at most ${LONGEST} characters`);
  return mail;
}

function cloned(given: PluginMail): PluginMail {
  try {
    return structuredClone(given);
  } catch {
    throw wrong('a mail must be plain data');
  }
}

function wrong(message: string): HostError {
  return new HostError('invalid_argument', `mail.send: ${message}`);
}
