export { type ConformanceOptions, conforms } from './conformance/conforms.js';
export type { Place } from './conformance/place.js';
export type { ByProvider, EnabledValues } from './enabled-settings.js';
export { FormBrowser } from './form-browser.js';
export type { GrpcAnswer, GrpcRequest, HostModule, HostSetup, OpenHost, SentMail } from './host-module.js';
export type { Answer, FormValues, RealmClient, RequestOptions } from './realm-client.js';
export {
  type GrpcOptions,
  type LogLine,
  type StartOptions,
  startHost,
  type TestContext,
  type TestedPlugin,
  type TestHost,
} from './start-host.js';
export { TestClock } from './test-clock.js';
export { APP, testRealm, withEnabled } from './test-realm.js';
