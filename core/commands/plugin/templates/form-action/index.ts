import { FormAction, type Plugin, provide } from '@keyhost/spi';

const QUESTION = 'Where have you heard of us?';
const FIELD = 'heardFrom';

/** Adds a question to the registration form. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(FormAction, {
      id: '__id__',
      describe: { displayName: 'Heard from', helpText: 'Asks people who register where they have heard of you.' },
      settings: {
        type: 'object',
        properties: {
          question: { type: 'string', title: 'Question', description: 'Label of the field.', default: QUESTION },
        },
      },
      open: () => ({
        create: () => ({
          async buildPage({ config }) {
            return {
              fields: [{ name: FIELD, type: 'text', label: { key: config.question || QUESTION }, required: true }],
            };
          },

          async validate({ form }) {
            const answer = form[FIELD]?.trim() ?? '';
            if (answer !== '' && answer.length <= 80) return { errors: [] };
            return { errors: [{ field: FIELD, message: { key: 'One to eighty characters, please.' } }] };
          },

          async success({ form }) {
            return { attributes: { heardFrom: [form[FIELD]?.trim() ?? ''] } };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
