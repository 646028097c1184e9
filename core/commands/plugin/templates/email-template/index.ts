import { EmailTemplate, type Plugin, provide } from '@keyhost/spi';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);

/** Greets users by name. Other mails look the same as without the plugin. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(EmailTemplate, {
      id: '__id__',
      realmConfig: {
        type: 'object',
        properties: {
          greeting: {
            type: 'string',
            default: 'Hello',
            guarded: false,
            description: 'What stands in front of the name.',
          },
        },
        additionalProperties: false,
      },
      open: () => ({
        create: (_, { greeting }) => ({
          async render({ user, texts, link }) {
            if (user === undefined) return undefined;
            const before = [`${greeting} ${user.firstName ?? user.username},`, ...texts.before];
            const url = link === undefined ? [] : [link.url];
            const markup = (text: string) => `<p>${escaped(text)}</p>`;
            const button = url.map((href) => `<p><a href="${escaped(href)}">${escaped(texts.link ?? href)}</a></p>`);
            return {
              subject: texts.subject,
              text: [...before, ...url, ...texts.after].join('\n\n'),
              html: [...before.map(markup), ...button, ...texts.after.map(markup)].join('\n'),
            };
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
