import { createHash } from 'node:crypto';
import { PasswordPolicy, type Plugin, provide } from '@keyhost/spi';
import { openList } from './list-file.js';
import { MESSAGES } from './messages.js';
import { queryRange } from './range-api.js';

/** Rejects passwords that are known from data breaches. */
export default {
  name: '@keyhost/breached-passwords',
  api: 1,
  messages: MESSAGES,
  providers: [
    provide(PasswordPolicy, {
      id: 'breachedPasswords',
      describe: {
        displayName: 'Breached Passwords',
        helpText: 'Rejects passwords that were seen in data breaches at least this many times.',
      },
      value: { type: 'integer', minimum: 1 },
      defaultValue: 1,
      config: {
        type: 'object',
        properties: {
          file: { type: 'string', minLength: 1 },
          url: {
            type: 'string',
            pattern: '^https?://.+/$',
            mustBe: 'an http or https address that ends with a slash',
            default: 'https://api.pwnedpasswords.com/range/',
          },
          timeout: { type: 'number', exclusiveMinimum: 0, maximum: 10, default: 3 },
        },
        additionalProperties: false,
      },
      realmConfig: {
        type: 'object',
        properties: {
          whenUnavailable: {
            title: 'If the list is unavailable',
            enum: ['refuse', 'accept'],
            default: 'refuse',
            guarded: false,
            description: 'refuse: nobody sets a password until the list answers. accept: passwords are not checked.',
          },
        },
        additionalProperties: false,
      },
      async open({ file, url = 'https://api.pwnedpasswords.com/range/', timeout = 3 }) {
        const list = file === undefined ? undefined : await openList(file);
        return {
          create: (session, { whenUnavailable }) => ({
            async check({ password, value }) {
              const digest = createHash('sha1').update(password, 'utf8').digest('hex').toUpperCase();
              let seen: number;
              try {
                seen = await (list === undefined ? queryRange(session, url, timeout, digest) : list.count(digest));
              } catch (error) {
                if (whenUnavailable !== 'accept') throw error;
                const reason = error instanceof Error ? error.message : String(error);
                session.logger.warn('a new password was not looked up among breached ones', { reason });
                return undefined;
              }
              if (seen < Number(value)) return undefined;
              return { key: 'breachedPasswordMessage', texts: TEXTS };
            },
          }),
          close: () => list?.close(),
        };
      },
    }),
  ],
} satisfies Plugin;

const TEXTS = {
  en: 'This password is known from a data breach. Choose another one.',
  de: 'Dieses Passwort ist aus einem Datenleck bekannt. Wählen Sie ein anderes.',
};
