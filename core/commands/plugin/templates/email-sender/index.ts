import { EmailSender, type Plugin, provide } from '@keyhost/spi';

/** What the service refuses for what the mail is, and would refuse again. */
const FINAL = [400, 413, 422];

/** Hands the mails of a realm to a service with an HTTP API, in place of its mail server. */
export default {
  name: '__name__',
  api: 1,
  providers: [
    provide(EmailSender, {
      id: '__id__',
      realmConfig: {
        type: 'object',
        properties: {
          url: { type: 'string', format: 'uri', description: 'Where the service takes mails.' },
          key: { type: 'string', minLength: 1, writeOnly: true, description: 'The API key of the service.' },
        },
        required: ['url', 'key'],
        additionalProperties: false,
      },
      open: () => ({
        create: (session, { url, key }) => ({
          async send({ to, from, replyTo, subject, text, html, messageId }) {
            const mail = { to, from, replyTo, subject, text, html };
            const answer = await session.outbound.request({
              url,
              method: 'POST',
              headers: {
                authorization: `Bearer ${key}`,
                'content-type': 'application/json',
                // The service takes a mail once that is sent again.
                'idempotency-key': messageId,
              },
              body: JSON.stringify(mail),
            });
            if (answer.status === 200) return { outcome: 'sent' };
            const reason = `the service answered ${answer.status}`;
            if (FINAL.includes(answer.status)) return { outcome: 'refused', reason, final: true };
            // It takes no mail at present: all of them wait.
            throw new Error(reason);
          },
        }),
      }),
    }),
  ],
} satisfies Plugin;
