import type { JsonSchema } from '../json-schema.js';
import { discriminatedBy, object } from './answer-schemas.js';

const TEXT: JsonSchema = { type: 'string' };
const FLAG: JsonSchema = { type: 'boolean' };
const TEXTS: JsonSchema = { type: 'array', items: TEXT };
const TEXT_BY_NAME: JsonSchema = { type: 'object', additionalProperties: TEXT };

const MESSAGE_MEMBERS = { params: TEXTS, texts: TEXT_BY_NAME };
/** A `Message`. */
export const MESSAGE = object({ key: TEXT }, MESSAGE_MEMBERS);
const SEVERITY: JsonSchema = { enum: ['error', 'warning', 'info', 'success'] };
/** A `Notice`. */
export const NOTICE = object({ key: TEXT }, { ...MESSAGE_MEMBERS, severity: SEVERITY });
const WEBAUTHN = object({ call: { enum: ['create', 'get'] }, options: TEXT });
const FIELD_TYPES = [
  'text',
  'password',
  'email',
  'tel',
  'number',
  'url',
  'date',
  'time',
  'datetime-local',
  'textarea',
  'select',
  'choice',
  'checkbox',
  'hidden',
];

/** A `PageField`. */
export const FIELD = object(
  { name: TEXT, label: MESSAGE, type: { enum: FIELD_TYPES } },
  {
    value: TEXT,
    options: { type: 'array', items: object({ value: TEXT, label: MESSAGE }) },
    multiple: FLAG,
    readOnly: FLAG,
    placeholder: MESSAGE,
    help: MESSAGE,
    heading: MESSAGE,
    autocomplete: TEXT,
    inputmode: { enum: ['numeric', 'text', 'email', 'tel'] },
    required: FLAG,
    error: MESSAGE,
  },
);

/** A `StepPage`. */
const PAGE = discriminatedBy('page', {
  login: object(
    { page: TEXT, username: TEXT, usernameEditable: FLAG, usernameLabel: MESSAGE },
    { password: { const: false }, rememberMe: FLAG, webauthn: WEBAUTHN },
  ),
  form: object(
    { page: TEXT, title: MESSAGE, fields: { type: 'array', items: FIELD }, submit: MESSAGE },
    {
      text: MESSAGE,
      figure: object({ image: TEXT, alternative: MESSAGE, text: TEXT }),
      codes: TEXTS,
      webauthn: WEBAUTHN,
      cancel: MESSAGE,
    },
  ),
});

/** An absolute URL that is a valid header value. */
const ADDRESS: JsonSchema = { type: 'string', pattern: '^https?://[!-~]+$', maxLength: 8192 };

/** A text that is a valid header value. */
const HEADER_VALUE: JsonSchema = { type: 'string', pattern: '^[ -~]+$', maxLength: 1024 };

const COOKIES: JsonSchema = { type: 'object', additionalProperties: { anyOf: [TEXT, { type: 'null' }] } };

const RESOURCES = object({}, { scripts: TEXTS, styles: TEXTS, workers: TEXTS });
const POLL = object({ interval: { type: 'integer', minimum: 1, maximum: 60 } });

const OUTCOME = { outcome: TEXT };
const CHALLENGE_MEMBERS = { message: NOTICE, error: TEXT, state: TEXT };
const FAILURE = object({ ...OUTCOME, error: TEXT, message: MESSAGE });

/** An `AuthenticationStep`. */
export const AUTHENTICATION_STEP = discriminatedBy('outcome', {
  success: object(OUTCOME, {
    userId: TEXT,
    typedUsername: TEXT,
    rememberMe: FLAG,
    notes: TEXT_BY_NAME,
    credentialType: TEXT,
    proves: { const: false },
    requiredActions: TEXTS,
    profile: object({}, { username: TEXT, email: TEXT, firstName: TEXT, lastName: TEXT }),
    cookies: COOKIES,
  }),
  attempted: object(OUTCOME),
  challenge: object(
    { ...OUTCOME, page: PAGE },
    { ...CHALLENGE_MEMBERS, userId: TEXT, credentialType: TEXT, cookies: COOKIES, poll: POLL, resources: RESOURCES },
  ),
  'identity-provider': object({ ...OUTCOME, alias: TEXT }, { loginHint: TEXT }),
  redirect: object({ ...OUTCOME, to: ADDRESS }, { state: TEXT, cookies: COOKIES }),
  fork: object({ ...OUTCOME, message: MESSAGE }),
  failure: object(
    { ...OUTCOME, error: TEXT, message: MESSAGE },
    { userId: TEXT, credentialType: TEXT, wwwAuthenticate: HEADER_VALUE },
  ),
});

/** A `PollAnswer`. */
export const POLL_ANSWER = object({ ready: FLAG }, { data: {} });

/** A `RequiredActionStep`. */
export const REQUIRED_ACTION_STEP = discriminatedBy('outcome', {
  success: object(OUTCOME, {
    attributes: { type: 'object', additionalProperties: TEXTS },
    notes: TEXT_BY_NAME,
    signOutOthers: FLAG,
    details: TEXT_BY_NAME,
  }),
  ignored: object(OUTCOME, { error: TEXT }),
  challenge: object({ ...OUTCOME, page: PAGE }, { ...CHALLENGE_MEMBERS, notes: TEXT_BY_NAME }),
  'identity-provider': object({ ...OUTCOME, alias: TEXT }, { loginHint: TEXT }),
  failure: FAILURE,
});

/** A `ClientProof`. */
export const CLIENT_PROOF = discriminatedBy('outcome', {
  success: object({ outcome: TEXT }, { once: object({ key: TEXT, expiresAt: { type: 'number' } }) }),
  failure: object({ outcome: TEXT }, { description: TEXT }),
});

/** A `FormPart`. */
export const FORM_PART = object({}, { fields: { type: 'array', items: FIELD }, resources: RESOURCES, state: TEXT });

/** A `FormValidation`. */
export const FORM_VALIDATION = object(
  { errors: { type: 'array', items: object({ message: MESSAGE }, { field: TEXT }) } },
  { error: TEXT, excludeOtherErrors: FLAG },
);

/** A `FormActionResult`. */
export const FORM_ACTION_RESULT = object(
  {},
  { attributes: { type: 'object', additionalProperties: TEXTS }, requiredActions: TEXTS },
);
