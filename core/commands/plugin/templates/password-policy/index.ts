import { PasswordPolicy, type Plugin, provide } from '@keyhost/spi';

/** Rejects passwords that contain a word: the value of the policy. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(PasswordPolicy, {
      id: '__id__',
      describe: { displayName: 'Without a Word', helpText: 'Refuses passwords that contain the word.' },
      value: { type: 'string', minLength: 3 },
      defaultValue: 'password',
      open: () => ({
        create: () => ({
          async check({ password, value }) {
            const word = String(value);
            if (!password.toLowerCase().includes(word.toLowerCase())) return undefined;
            return {
              key: '__word__Refused',
              params: [word],
              texts: { en: 'Choose a password without “{0}”.', de: 'Wählen Sie ein Passwort ohne „{0}“.' },
            };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
