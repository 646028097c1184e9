import { connect } from 'node:net';
import { EmailSender } from '@keyhost/spi';
import type { HostOptions } from '../../config/options/options.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { readSmtpServer } from '../../model/smtp-settings.js';
import { codeOf, messageOf } from '../../model/thrown.js';
import type { ReadableStore } from '../../store/open-store.js';
import { type Finding, findings } from './finding.js';

const { ok, problem } = findings('mail');
const WAIT_MS = 5_000;

/** Checks that the mail servers of the realms can be reached. No mail is sent. */
export async function checkMail({ mailDir }: HostOptions, store: ReadableStore): Promise<Finding[]> {
  const found: (Finding | Promise<Finding>)[] = [];
  // Realms may share mail servers, so each server is checked once. All are checked concurrently.
  const failures = new Map<string, Promise<string | undefined>>();
  for (const { name } of await store.realms.list()) {
    const realm = (await store.realms.withDeclaration(name))?.representation;
    if (realm === undefined) continue;
    const sender = senderOf(realm);
    if (sender !== undefined) {
      found.push(ok(`realm ${name}: emails are sent by emailSender/${sender}, which is not tried here`));
      continue;
    }
    const { settings, problems } = readSmtpServer(realm);
    for (const { key, message } of problems) {
      found.push(problem(`realm ${name}: smtpServer.${key} ${message}`, 'correct the realm'));
    }
    if (settings === undefined) {
      if (!sendsMail(realm) || problems.length > 0) continue;
      if (mailDir !== undefined) found.push(ok(`realm ${name} has no mail server: emails become files in ${mailDir}`));
      else found.push(problem(`realm ${name} sends emails and has no mail server`, 'set smtpServer of the realm'));
      continue;
    }
    const address = `${settings.host}:${settings.port}`;
    if (settings.from.address === '') {
      found.push(problem(`realm ${name}: smtpServer has no sender`, 'set smtpServer.from'));
    }
    const failure = failures.get(address) ?? connectFailure(settings);
    failures.set(address, failure);
    found.push(
      failure.then((reason) =>
        reason === undefined
          ? ok(`realm ${name}: ${address} can be reached`)
          : problem(`realm ${name}: ${address} cannot be reached (${reason})`, 'correct smtpServer, or the firewall'),
      ),
    );
  }
  return Promise.all(found);
}

/** The ID of a plugin's email sender that the realm has enabled. */
function senderOf({ providers }: RealmRepresentation): string | undefined {
  const senders = Object.entries(providers?.[EmailSender.id] ?? {});
  return senders.find(([id, { enabled }]) => id !== 'default' && enabled === true)?.[0];
}

/** True if the realm sends emails to users who sign in. */
function sendsMail({ verifyEmail, resetPasswordAllowed }: RealmRepresentation): boolean {
  return verifyEmail === true || resetPasswordAllowed === true;
}

function connectFailure({ host, port }: { host: string; port: number }): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: WAIT_MS });
    const end = (reason: string | undefined) => {
      socket.destroy();
      resolve(reason);
    };
    socket.once('connect', () => end(undefined));
    socket.once('timeout', () => end('no answer'));
    socket.once('error', (error) => end(codeOf(error) ?? messageOf(error)));
  });
}
