import { HostError, type JsonSchema, type Plugin, provide, Validator } from '@keyhost/spi';
import { defined } from '../../model/defined.js';

const numberSetting = (title: string, description: string): JsonSchema => ({ type: 'number', title, description });
const RANGE = {
  min: numberSetting('Minimum', 'The smallest value that is allowed.'),
  max: numberSetting('Maximum', 'The largest value that is allowed.'),
};
const ERROR_MESSAGE: JsonSchema = {
  type: 'string',
  title: 'Error message key',
  description: 'The message that users see. Default: the message of the validator.',
};
const flagSetting = (title: string, description: string): JsonSchema => ({
  type: 'boolean',
  default: true,
  title,
  description,
});
const MIN_OR_MAX = [{ required: ['min'] }, { required: ['max'] }];

interface BuiltInValidator {
  readonly helpText: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  /** Additional JSON Schema keywords of its settings. */
  readonly rule?: JsonSchema;
}

/** Keycloak's validators by ID, as its admin console offers them. */
const BUILT_IN_VALIDATORS: Readonly<Record<string, BuiltInValidator>> = {
  double: { helpText: 'A number, within bounds.', properties: RANGE },
  email: {
    helpText: 'An email address.',
    properties: {
      'max-local-length': numberSetting(
        'Maximum length of the local part',
        'The most characters before the @. Default: 64.',
      ),
    },
  },
  integer: { helpText: 'A whole number, within bounds.', properties: RANGE },
  'iso-date': { helpText: 'A date of ISO 8601, as date fields send it.' },
  length: {
    helpText: 'So many characters.',
    properties: {
      min: numberSetting('Minimum length', 'The fewest characters.'),
      max: numberSetting('Maximum length', 'The most characters.'),
      'trim-disabled': {
        type: 'boolean',
        title: 'Trimming disabled',
        description: 'Spaces at the beginning and the end count.',
      },
    },
    rule: { anyOf: MIN_OR_MAX },
  },
  'local-date': { helpText: 'A date, as people write it.' },
  multivalued: {
    helpText: 'So many values.',
    properties: {
      min: numberSetting('Minimum size', 'The fewest values.'),
      max: numberSetting('Maximum size', 'The most values.'),
    },
  },
  'not-blank': { helpText: 'Text with more in it than spaces.' },
  'not-empty': { helpText: 'Text that is not empty.' },
  options: {
    helpText: 'One of the values of a list.',
    properties: {
      options: {
        type: 'array',
        items: { type: 'string' },
        title: 'Options',
        description: 'The values that are allowed.',
      },
    },
    rule: { required: ['options'] },
  },
  pattern: {
    helpText: 'Text that matches a pattern.',
    properties: {
      pattern: {
        type: 'string',
        title: 'RegExp pattern',
        description: 'The whole value must match it. It is an expression of RE2.',
      },
      'error-message': ERROR_MESSAGE,
    },
    rule: { required: ['pattern'] },
  },
  'person-name-prohibited-characters': {
    helpText: 'Text without characters that no name has.',
    properties: { 'error-message': ERROR_MESSAGE },
  },
  'up-username-not-idn-homograph': {
    helpText: 'Latin letters and common characters alone.',
    properties: { 'error-message': ERROR_MESSAGE },
  },
  uri: {
    helpText: 'An absolute URI.',
    properties: {
      allowedSchemes: {
        type: 'array',
        items: { type: 'string' },
        title: 'Allowed schemes',
        description: 'The schemes that a URI may have. Default: http and https.',
      },
      allowFragment: flagSetting('Allow fragment', 'A URI may have a fragment, the part after #.'),
      requireValidUrl: flagSetting('Require valid URL', 'The URI must be a URL: its scheme is one that has addresses.'),
    },
  },
  'username-prohibited-characters': {
    helpText: 'Text without characters that no username has.',
    properties: { 'error-message': ERROR_MESSAGE },
  },
};

/** Never called: the host runs `VALUE_VALIDATORS` directly. */
const notSupported = async (): Promise<never> => {
  throw new HostError('not_supported', 'The host checks the values of its own validators by itself');
};

/** The validators as providers, which only describe them for admins. */
export const builtInValidators: Plugin = {
  name: 'keyhost-validators',
  api: 1,
  providers: Object.entries(BUILT_IN_VALIDATORS).map(([id, { helpText, properties, rule }]) =>
    provide(Validator, {
      id,
      describe: { displayName: id, helpText },
      ...defined({ settings: properties && ({ type: 'object', properties, ...rule } as const) }),
      open: () => ({ create: () => ({ check: notSupported }) }),
    }),
  ),
};
