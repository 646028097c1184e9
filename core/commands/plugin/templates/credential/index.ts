import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import {
  Authenticator,
  CredentialProvider,
  type Message,
  type Plugin,
  provide,
  RequiredAction,
  type StepPage,
} from '@keyhost/spi';

const TYPE = '__id__';
const SETUP = '__id__-setup';
const FEWEST = 6;

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const hashOf = (word: string, salt: Buffer) => derive(word.trim().toLowerCase(), salt, 32);

const pageOf = (title: string): StepPage => ({
  page: 'form',
  title: { key: title },
  fields: [{ name: 'word', type: 'password', label: { key: 'Word' }, autocomplete: 'off', required: true }],
  submit: { key: 'doSubmit' },
});
const asks = { outcome: 'challenge', page: pageOf('What is your word?') } as const;
const chooses = { outcome: 'challenge', page: pageOf('Choose a word') } as const;
const WRONG: Message = { key: 'This is not your word.' };
const SHORT: Message = { key: 'At least {0} letters, please.', params: [String(FEWEST)] };

/** Asks users for a word of their own, in addition to the password. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(CredentialProvider, {
      id: TYPE,
      describe: { displayName: 'Word', helpText: 'A word that you remember.' },
      category: 'two-factor',
      createAction: SETUP,
      single: true,
      open: () => ({
        create: () => ({
          async create({ input }) {
            const salt = randomBytes(16);
            const hash = await hashOf(String(input), salt);
            return { secret: { hash: hash.toString('base64') }, data: { salt: salt.toString('base64') } };
          },
          async verify({ credential: { secret, data }, input }) {
            const expected = Buffer.from(String(secret.hash), 'base64');
            const hash = await hashOf(String(input), Buffer.from(String(data.salt), 'base64'));
            return { valid: hash.length === expected.length && timingSafeEqual(hash, expected) };
          },
          present: async () => ({ data: {} }),
        }),
      }),
    }),

    provide(Authenticator, {
      id: '__id__-form',
      describe: { displayName: 'Word', helpText: 'Asks for the word of the user.', proves: true },
      open: () => ({
        create: ({ ownCredentials }) => {
          const isSetUp = async () => (await ownCredentials.list(TYPE)).length > 0;
          return {
            configuredFor: isSetUp,
            async authenticate({ user, form }) {
              // An earlier step must identify the user, and a token request has no page to ask with.
              if (user === undefined || form !== undefined) return { outcome: 'attempted' };
              if (await isSetUp()) return asks;
              return { outcome: 'success', proves: false, requiredActions: [SETUP] };
            },
            async action({ user }, { word = '' }) {
              if (user === undefined) return { outcome: 'attempted' };
              const verdict = await ownCredentials.verify(TYPE, word);
              if (verdict.valid) return { outcome: 'success', credentialType: TYPE };
              return { ...asks, message: WRONG, error: verdict.error, userId: user.id };
            },
          };
        },
      }),
    }),

    provide(RequiredAction, {
      id: SETUP,
      displayText: 'Choose a word',
      initiable: true,
      open: () => ({
        create: ({ ownCredentials }) => ({
          challenge: async () => chooses,
          async action(_, { word = '' }) {
            if (word.trim().length < FEWEST) return { ...chooses, message: SHORT };
            await ownCredentials.create(TYPE, word);
            return { outcome: 'success' };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
