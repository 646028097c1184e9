import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OutgoingMail } from '@keyhost/spi';
import type { ExecutionContext } from 'ava';
import { eventually } from './eventually.js';

/**
 * What an `EmailSender` of the helper does with a mail: an answer of its kind or something that is none, or how it fails. `die` ends
 * the worker that it runs in.
 */
export type MailAnswer = Readonly<Record<string, unknown>> | { readonly fail: 'throw' | 'hang' | 'die' };

/** A service with an HTTP API that mails are handed to, as many providers have one. */
export interface MailService {
  readonly url: string;
  readonly mails: readonly OutgoingMail[];
  /** What it answers from now on. */
  answer: (mail: OutgoingMail) => MailAnswer;
  /** @param index of the mail, from 0 */
  mail(index: number): Promise<OutgoingMail>;
}

export async function startMailService(t: Pick<ExecutionContext, 'teardown'>): Promise<MailService> {
  const mails: OutgoingMail[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const mail = JSON.parse(Buffer.concat(chunks).toString()) as OutgoingMail;
    mails.push(mail);
    response.end(JSON.stringify(service.answer(mail)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const service: MailService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    answer: () => ({ outcome: 'sent', id: 'of the service' }),
    mail: (index) => eventually(() => mails[index]),
  };
  return service;
}

/** The source of an `EmailSender` that hands mails to the service at `url` of its configuration. */
export const mailSender = (id: string) => `provide(EmailSender, {
  id: '${id}',
  realmConfig: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'], additionalProperties: false },
  open: () => ({ create: (_, { url }) => ({
    async send(mail) {
      const answer = await (await fetch(url, { method: 'POST', body: JSON.stringify(mail) })).json();
      if (answer.fail === 'throw') throw new Error('words of the service');
      if (answer.fail === 'die') setImmediate(() => { throw new Error('the end of the worker'); });
      return answer.fail === undefined ? answer : new Promise(() => {});
    },
  }) }),
})`;
