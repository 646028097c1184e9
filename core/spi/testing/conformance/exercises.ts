import { randomUUID } from 'node:crypto';
import type { AdminPageDeclaration } from '../../admin-page/declaration.js';
import type { JsonObject, JsonSchema } from '../../json-schema.js';
import type { ProviderDefinition } from '../../plugin.js';
import type { GrpcMethod } from '../../spis/grpc-service.js';
import type { Route } from '../../spis/realm-resource-provider.js';
import { FormBrowser } from '../form-browser.js';
import { APP } from '../test-realm.js';
import { answerPages, fillFields, signInByPassword } from './answer-pages.js';
import {
  adminAccess,
  logInByPassword,
  requireAction,
  sendClientRequests,
  sendMailAsAdmin,
  setPassword,
} from './calls.js';
import type { Observations } from './observed-plugin.js';
import type { Place } from './place.js';
import { sample } from './sample.js';

type Exercise = (definition: ProviderDefinition, place: Place, seen: Observations) => Promise<void>;

/** For each SPI, the requests that make a host call a provider, as far as its declaration allows to derive them. */
export const EXERCISES: Readonly<Record<string, Exercise>> = {
  async 'realm-restapi-extension'({ id, declaration }, { realm, username }) {
    const token = await realm.token(username);
    for (const route of Object.values(declaration.routes as Readonly<Record<string, Route>>)) {
      const path = `/${id}${route.path.replace(/\{\w+\}/g, 'x')}`;
      const { method, body, consumes = body === undefined ? undefined : 'application/json' } = route;
      const isJson = consumes === 'application/json';
      const requestBody = isJson
        ? { json: body === undefined ? {} : sample(body) }
        : consumes === undefined
          ? {}
          : { body: 'x' };
      const headers: Record<string, string> = consumes === undefined ? {} : { 'content-type': consumes };
      await realm.fetch(path, { method, ...requestBody, headers });
      await realm.fetch(path, { method, ...requestBody, headers, token });
    }
  },

  async 'action-token-handler'({ id, declaration }, { realm, username }) {
    const claims = sample((declaration.claims ?? { type: 'object' }) as JsonSchema) as JsonObject;
    const { link } = await realm.actionToken(id, username, { claims });
    const inBrowser = { headers: { accept: 'text/html' } };
    const page = await realm.fetch(link, inBrowser);
    await new FormBrowser(realm).submit(page, {});
    await Promise.all([realm.fetch(link), realm.fetch(link, inBrowser)]);
  },

  async 'oauth2-grant-type'({ id }, { realm, username }) {
    await realm.tokenRequest({ ...APP, grant_type: id });
    await realm.tokenRequest({ ...APP, grant_type: id, username, scope: 'openid' });
  },

  async 'grpc-service'({ declaration }, { host, realm, username }) {
    const { service, methods } = declaration as { service: string; methods: Readonly<Record<string, GrpcMethod>> };
    const scopes = new Set(Object.values(methods).flatMap(({ scope }) => (scope === undefined ? [] : [scope])));
    const token = await realm.token(username, scopes.size === 0 ? {} : { scope: [...scopes].join(' ') });
    for (const method of Object.keys(methods)) {
      await host.grpc(service, method, {}, { token });
    }
  },

  async 'events-listener'(_, { host, realm, username }) {
    await logInByPassword(realm, username);
    await realm.tokenRequest({ ...APP, grant_type: 'password', username, password: 'wrong' });
    const token = await realm.token('dave');
    await realm.fetch(`${host.url}/admin/realms/${realm.name}`, {
      method: 'PUT',
      token,
      json: { displayName: username },
    });
    await realm.events();
  },

  async eventsStore(_, { host, realm, username }) {
    await logInByPassword(realm, username);
    const token = await realm.token('dave');
    const admin = `${host.url}/admin/realms/${realm.name}`;
    await realm.fetch(admin, { method: 'PUT', token, json: { displayName: username } });
    await host.settled();
    for (const list of ['events', 'admin-events']) {
      await realm.fetch(`${admin}/${list}?max=5`, { token });
      await realm.fetch(`${admin}/${list}`, { method: 'DELETE', token });
    }
  },

  async 'protocol-mapper'(_, { realm, username }) {
    const { json } = await logInByPassword(realm, username);
    const { access_token: token } = json as { access_token: string };
    await realm.fetch('/protocol/openid-connect/userinfo', { token });
  },

  async authenticator(_, { realm, username }, seen) {
    await logInByPassword(realm, username);
    const browser = new FormBrowser(realm);
    await answerPages(browser, await signInByPassword(browser, username), seen);
  },

  async 'form-action'(_, { realm, username }) {
    const browser = new FormBrowser(realm);
    const name = `${username}-${randomUUID()}`;
    const person = { username: name, email: `${name}@example.test`, firstName: 'New', lastName: 'Example' };
    const form = { ...person, password: name, 'password-confirm': name };
    const page = await browser.register();
    // Submit the form first with empty fields of the plugin, and then with values.
    const nextPage = await browser.submit(page, form);
    if (nextPage !== undefined) await browser.submit(nextPage, { ...fillFields(nextPage.text), ...form });
  },

  'required-action': ({ id }, place, seen) => requireAction(place, id, seen),

  async credential({ declaration: { createAction } }, place, seen) {
    const { realm, username } = place;
    // The required action creates the credential, an admin lists it, and the plugin's steps ask for it.
    if (typeof createAction === 'string') await requireAction(place, createAction, seen);
    const { url, token } = await adminAccess(place);
    await realm.fetch(`${url}/credentials`, { token });
    const browser = new FormBrowser(realm);
    await answerPages(browser, await signInByPassword(browser, username), seen);
  },

  async 'client-authenticator'({ id, declaration }, { realm }) {
    const { parameters = ['client_assertion', 'client_assertion_type', 'client_secret'], headers = [] } = declaration;
    const form = { grant_type: 'client_credentials', client_id: `app-${id}` };
    await realm.tokenRequest(form);
    const valuesFor = (names: unknown) => Object.fromEntries((names as string[]).map((name) => [name, 'x']));
    const proof = { form: { ...form, ...valuesFor(parameters) }, headers: valuesFor(headers) };
    await realm.fetch('/protocol/openid-connect/token', proof);
  },

  async vault({ id }, { realm }) {
    await realm.tokenRequest({ grant_type: 'client_credentials', client_id: `app-${id}`, client_secret: 'x' });
  },

  async validator({ id }, place) {
    const { url, token, user } = await adminAccess(place);
    for (const values of [['x'], [place.username, 'y']]) {
      const attributes = { [`checked-by-${id}`]: values };
      await place.realm.fetch(url, { method: 'PUT', token, json: { ...user, attributes } });
    }
  },

  async 'password-policy'(_, place) {
    await setPassword(place, `${place.username}-${'x'.repeat(20)}`);
    await setPassword(place, place.username);
  },

  async 'password-hashing'(_, place) {
    const { realm, username } = place;
    await setPassword(place, username);
    await logInByPassword(realm, username);
    await realm.tokenRequest({ ...APP, grant_type: 'password', username, password: 'wrong' });
  },

  async 'client-registration-policy'(_, { realm }) {
    const path = '/clients-registrations/default';
    const headers = { origin: 'http://localhost' };
    const client = { name: 'App', redirectUris: ['http://localhost/cb'] };
    const { json } = await realm.fetch(path, { json: client, headers });
    const { clientId, registrationAccessToken: token } = (json ?? {}) as Record<string, string | undefined>;
    if (clientId === undefined || token === undefined) return;
    const update = { method: 'PUT', token, json: { ...client, clientId } };
    const updated = await realm.fetch(`${path}/${clientId}`, update);
    const { registrationAccessToken: next = token } = (updated.json ?? {}) as Record<string, string | undefined>;
    await realm.fetch(`${path}/${clientId}`, { token: next });
    await realm.fetch(`${path}/${clientId}`, { method: 'DELETE', token: next });
  },

  async keys(_, { host, realm, username }) {
    const { json } = await realm.fetch('/protocol/openid-connect/certs');
    const { keys = [] } = (json ?? {}) as { keys?: { alg: string; use: string }[] };
    const algorithms = new Set(keys.flatMap(({ alg, use }) => (use === 'sig' ? [alg] : [])));
    for (const algorithm of algorithms) {
      const token = await realm.token('dave');
      const changed = { method: 'PUT', token, json: { defaultSignatureAlgorithm: algorithm } };
      await realm.fetch(`${host.url}/admin/realms/${realm.name}`, changed);
      await logInByPassword(realm, username);
    }
  },
  'client-policy-condition': (_, place) => sendClientRequests(place),

  'client-policy-executor': (_, place) => sendClientRequests(place),

  async 'admin-page'({ id, declaration }, { host, realm, username }) {
    const token = await realm.token('dave');
    const admin = `${host.url}/admin/realms/${realm.name}`;
    const { at, operations } = declaration as unknown as AdminPageDeclaration;
    const subjects = { user: `users?username=${username}&exact=true`, client: `clients?clientId=${APP.client_id}` };
    const list =
      at === 'user' || at === 'client' ? await realm.fetch(`${admin}/${subjects[at]}`, { token }) : undefined;
    const [subject] = (list?.json ?? []) as { id: string }[];
    for (const [name, { method, body }] of Object.entries(operations)) {
      const path = `${admin}/pages/${id}/${name}${subject === undefined ? '' : `?subject=${subject.id}`}`;
      await realm.fetch(path, { method, token, ...(body === undefined ? {} : { json: sample(body) }) });
    }
  },

  async 'account-page'({ id, declaration }, { realm, username }) {
    const browser = new FormBrowser(realm);
    const path = `/pages/${encodeURIComponent(id)}`;
    for (const action of Object.keys((declaration.actions ?? {}) as object)) {
      const page = await browser.account(path, username);
      const form = `name="kc.action" value="${action}"`;
      await browser.submit(page, fillFields(page.text, form), form);
    }
    await browser.account(path, username);
  },

  emailSender: (_, place) => sendMailAsAdmin(place),

  emailTemplate: (_, place) => sendMailAsAdmin(place),

  async theme(_, { realm }) {
    const browser = new FormBrowser(realm);
    await browser.logIn();
    await browser.logIn('no such client');
  },
};
