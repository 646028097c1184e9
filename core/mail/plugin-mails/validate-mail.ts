import { HostError, type JsonSchema, type PluginMail } from '@keyhost/spi';
import { formatPath } from '../../config/json/json-document.js';
import { compileSchema, schemaProblems } from '../../config/json/schema-check.js';
import { isEmailAddress } from '../../model/email-address.js';
import { findUncloneable } from '../../registry/sessions/cloneable.js';

/** Maximum length of a mail as JSON, in characters. */
const MAX_LENGTH = 128 * 1024;

const TEXT_SCHEMA = { type: 'string', maxLength: 64 * 1024 } as const;
const MESSAGE_SCHEMA = {
  type: 'object',
  properties: {
    key: TEXT_SCHEMA,
    params: { type: 'array', items: TEXT_SCHEMA, maxItems: 10 },
    texts: { type: 'object', additionalProperties: TEXT_SCHEMA },
  },
  required: ['key'],
  additionalProperties: false,
} as const;
const PARAGRAPHS_SCHEMA = { type: 'array', items: MESSAGE_SCHEMA, maxItems: 50 } as const;
const RECIPIENT_SCHEMA = {
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
const MAIL_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    to: RECIPIENT_SCHEMA,
    subject: MESSAGE_SCHEMA,
    before: PARAGRAPHS_SCHEMA,
    link: {
      type: 'object',
      properties: { label: MESSAGE_SCHEMA, url: { type: 'string', maxLength: 8192, pattern: '^https?://' } },
      required: ['label', 'url'],
      additionalProperties: false,
    },
    after: PARAGRAPHS_SCHEMA,
    template: {
      type: 'object',
      properties: {
        text: TEXT_SCHEMA,
        html: TEXT_SCHEMA,
        values: { type: 'object', additionalProperties: MESSAGE_SCHEMA },
      },
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
export function validateMail(input: PluginMail): PluginMail {
  const uncloneablePart = findUncloneable(input);
  if (uncloneablePart !== undefined) throw invalidMail(`${uncloneablePart} is not plain data`);
  const mail = cloneMail(input);
  const check = compileSchema(MAIL_SCHEMA);
  if (!check(mail)) {
    const problems = schemaProblems(check).map(({ path, message }) => `${formatPath(['mail', ...path])} ${message}`);
    throw invalidMail(problems.join('; '));
  }
  const { to, template, before = [], link, after = [] } = mail;
  const contentForms = [template !== undefined, before.length > 0 || link !== undefined || after.length > 0];
  if (contentForms.filter(Boolean).length !== 1)
    throw invalidMail('set a template, or paragraphs and a link, and not both');
  const keys = Object.keys(to);
  const hasTypedName = 'typedName' in to && keys.every((key) => key === 'typedName' || key === 'userId');
  if (!hasTypedName && ('userId' in to ? keys.length > 1 : !('address' in to) || 'typedName' in to)) {
    throw invalidMail('mail.to is { userId }, { typedName, userId } or { address, name, locale }');
  }
  if ('address' in to && !isEmailAddress(to.address)) throw invalidMail('mail.to.address is not an email address');
  if (JSON.stringify(mail).length > MAX_LENGTH) throw invalidMail(`a mail has at most ${MAX_LENGTH} characters`);
  return mail;
}

function cloneMail(input: PluginMail): PluginMail {
  try {
    return structuredClone(input);
  } catch {
    throw invalidMail('a mail must be plain data');
  }
}

function invalidMail(message: string): HostError {
  return new HostError('invalid_argument', `mail.send: ${message}`);
}
