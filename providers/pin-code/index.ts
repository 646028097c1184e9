import {
  type AuthenticationStep,
  Authenticator,
  CredentialProvider,
  type Message,
  type PageField,
  type Plugin,
  provide,
  RequiredAction,
  type RequiredActionStep,
} from '@keyhost/spi';
import { DIGITS, problemOf } from './new-pin.js';
import { hashPin, isOutdated, verifyPin } from './pin-hash.js';
import { MESSAGES, NEW_PIN, PIN } from './texts.js';

const TYPE = 'pin-code';
const SETUP = 'pin-code-setup';
/** The maximum number of characters of a PIN that is checked at all. */
const MAX_LENGTH = 128;

/** A field for digits: phones show a number pad. */
const digitsField = (name: string, label: Message, error?: Message): PageField => ({
  name,
  label,
  type: 'password',
  inputmode: 'numeric',
  autocomplete: 'off',
  required: true,
  ...(error === undefined ? {} : { error }),
});

const pinStep = {
  outcome: 'challenge',
  page: { page: 'form', title: PIN.title, fields: [digitsField('pin', PIN.label)], submit: { key: 'doLogIn' } },
} satisfies AuthenticationStep;

function newPinStep(digits: number, initiated: boolean, problem?: Message): RequiredActionStep {
  return {
    outcome: 'challenge',
    ...(problem === undefined ? {} : { error: 'invalid_input' }),
    page: {
      page: 'form',
      title: NEW_PIN.title,
      text: NEW_PIN.text(digits),
      fields: [digitsField('pin', PIN.label, problem), digitsField('pin-repeated', NEW_PIN.repeated)],
      submit: { key: 'doSubmit' },
      ...(initiated ? { cancel: { key: 'doCancel' } } : {}),
    },
  };
}

const digitsOf = ({ length }: Readonly<Record<string, string>>) => Number(length ?? DIGITS);

/** A PIN as second factor (ldesroch/keycloak-pin-code-authenticator). */
export default {
  name: '@keyhost/pin-code',
  api: 1,
  messages: MESSAGES,
  providers: [
    provide(CredentialProvider, {
      id: TYPE,
      describe: { displayName: '${pinCode}', helpText: '${pinCodeHelp}' },
      category: 'two-factor',
      createAction: SETUP,
      single: true,
      open: () => ({
        create: (session) => ({
          create: async ({ input }) => hashPin(String(input)),
          async verify({ credential, input }) {
            const pin = String(input);
            if (pin === '' || pin.length > MAX_LENGTH) return { valid: false };
            const valid = await verifyPin(pin, credential);
            if (valid === undefined) {
              session.logger.warn(
                'a PIN cannot be verified: its hash is damaged, too expensive, or of another algorithm',
                {
                  credentialId: credential.id,
                },
              );
              // Take as long as a valid hash would.
              await hashPin(pin);
            }
            if (valid !== true) return { valid: false };
            return isOutdated(credential) ? { valid, changed: await hashPin(pin) } : { valid };
          },
        }),
      }),
    }),

    provide(Authenticator, {
      id: 'pin-code-form',
      describe: { displayName: '${pinCodeForm}', helpText: '${pinCodeFormHelp}', proves: true, label: PIN.title },
      open: () => ({
        create: ({ ownCredentials }) => {
          const isSetUp = async () => (await ownCredentials.list(TYPE)).length > 0;
          return {
            configuredFor: isSetUp,

            async authenticate({ user, form }) {
              // A token request has no page to ask with.
              if (user === undefined || form !== undefined) return { outcome: 'attempted' };
              if (await isSetUp()) return pinStep;
              return { outcome: 'success', proves: false, requiredActions: [SETUP] };
            },

            async action({ user }, { pin = '' }) {
              if (user === undefined) return { outcome: 'attempted' };
              const verdict = await ownCredentials.verify(TYPE, pin.trim());
              if (verdict.valid) return { outcome: 'success', credentialType: TYPE };
              return { ...pinStep, message: PIN.wrong, error: verdict.error, credentialType: TYPE, userId: user.id };
            },
          };
        },
      }),
    }),

    provide(RequiredAction, {
      id: SETUP,
      displayText: '${pinCodeSetup}',
      initiable: true,
      oneTime: true,
      settings: {
        type: 'object',
        properties: {
          length: {
            type: 'integer',
            title: '${pinCodeLength}',
            description: '${pinCodeLengthHelp}',
            guarded: false,
            minimum: 4,
            maximum: 12,
            default: DIGITS,
          },
        },
      },
      open: () => ({
        create: ({ ownCredentials }) => ({
          challenge: async ({ config, initiated }) => newPinStep(digitsOf(config), initiated),

          async action({ config, initiated }, { pin = '', 'pin-repeated': repeated = '' }) {
            const problem = problemOf(pin.trim(), repeated.trim(), digitsOf(config));
            if (problem !== undefined) return newPinStep(digitsOf(config), initiated, problem);
            await ownCredentials.create(TYPE, pin.trim());
            return { outcome: 'success' };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
