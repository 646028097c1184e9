import type { RealmRepresentation } from '../../model/representation.js';
import { coercionSentence, type OmittedItems, pathInFile, readAsJackson } from '../json/jackson.js';
import type { JsonDocument, JsonPath } from '../json/json-document.js';
import { repairShape } from '../json/repair-shape.js';
import { compileSchema, schemaProblems } from '../json/schema-check.js';
import type { Problem } from '../problem.js';
import { type HiddenNames, hiddenNames } from './hidden-names.js';
import { removeMaskedSecrets } from './masked-secrets.js';
import { convertOlderRealm } from './older/convert-older-realm.js';
import type { ReadRealmOptions } from './read-realm.js';
import { addFiles, type FileState } from './realm-folder.js';
import { checkKeys } from './realm-key-checks.js';
import type { Complain } from './realm-names.js';
import { type DefaultedReference, type ResolvedText, resolveReferences } from './references.js';
import { FILE_SCHEMA } from './schema/file-schema.js';
import { SHARED_SCHEMAS } from './schema/realm-schema.js';
import { moveAttributeSettings } from './settings-in-attributes.js';
import { removeStaleMembers } from './stale/remove-stale-members.js';

/**
 * Reads the documents of a realm (its file and its users files) so that their values match the schema, and collects
 * problems with their positions.
 */
export class SchemaCheckedDocuments {
  readonly main: JsonDocument;
  readonly problems: Problem[] = [];
  /** Settings that production rejects. */
  readonly unsafe: Problem[] = [];
  readonly hints: Problem[] = [];
  /** Masked secrets that were removed. */
  readonly maskedSecrets: Problem[] = [];
  /**
   * Members that were removed or replaced because Keyhost cannot use them. In production, those that protect the realm
   * are in `unsafe` instead.
   */
  readonly staleMembers: Problem[] = [];
  /** References that were not resolved. */
  readonly withheldReferences: Problem[] = [];
  readonly defaultedReferences: DefaultedReference[] = [];
  readonly references: ResolvedText[] = [];
  /** The files that references read, by path, with the state at the first read. */
  readonly referencedFiles = new Map<string, FileState>();
  readonly unknownKeys: string[] = [];
  /** True if a reference was resolved. */
  hasReferences = false;
  readonly #options: ReadRealmOptions;
  readonly #onResolved: (resolved: ResolvedText) => void;
  readonly #omittedItems = new Map<JsonDocument, OmittedItems>();
  /** For each document, the attributes whose settings became members, by the member's name. */
  readonly #movedAttributes = new Map<JsonDocument, ReadonlyMap<string, string>>();
  readonly #invalidPaths = new Map<JsonDocument, JsonPath[]>();
  readonly #unresolved: JsonPath[] = [];
  readonly #invalidWords = new Set<string>();
  readonly #resolvedTexts: { readonly document: JsonDocument; readonly text: ResolvedText }[] = [];

  /** @param onResolved called with each reference, in order */
  constructor(main: JsonDocument, options: ReadRealmOptions, onResolved: (resolved: ResolvedText) => void) {
    this.main = main;
    this.#options = options;
    this.#onResolved = onResolved;
  }

  /**
   * Returns a function that reports a problem of a document. It skips values that were removed or replaced, since their
   * problem is already reported, and unresolved references.
   */
  reporterFor(document: JsonDocument, problems: Problem[] = this.problems): Complain {
    return (at, message, suggestion) => {
      const path = this.#writtenPath(document, at);
      if (!this.#invalidPaths.get(document)?.some((outer) => isWithin(path, outer))) {
        const problem = document.problem(path, message, suggestion);
        problems.push(this.#tellsReference(document, path, problem) ? { ...problem, tellsReference: true } : problem);
      }
    };
  }

  /** The document's value with references resolved and invalid parts removed. */
  readRepaired(document: JsonDocument): RealmRepresentation | undefined {
    const { value, places: invalidPaths } = this.#resolveReferences(document);
    const complain = this.reporterFor(document);
    checkKeys(value, complain, this.unknownKeys);
    const movedAttributes = moveAttributeSettings(value);
    this.#movedAttributes.set(document, movedAttributes);
    const omittedItems: OmittedItems = new Map();
    const coercions = readAsJackson(value, FILE_SCHEMA, SHARED_SCHEMAS, omittedItems);
    this.#omittedItems.set(document, omittedItems);
    const hint = (path: JsonPath, message: string) => {
      if (this.#options.hints === true) this.hints.push(document.problem(path, message));
    };
    for (const [member, attribute] of movedAttributes)
      hint(['attributes', attribute], `is read as the setting "${member}"`);
    for (const { path, ...change } of coercions) hint(path, coercionSentence(change));
    this.#removeStale(document, value, omittedItems);
    const check = compileSchema(FILE_SCHEMA, { shared: SHARED_SCHEMAS });
    if (!check(value)) {
      for (const { path, message, suggestion } of schemaProblems(check)) complain(path, message, suggestion);
      const repaired = repairShape(value, check, this.#invalidWords);
      invalidPaths.push(...(repaired ?? []).map((path) => this.#writtenPath(document, path)));
      if (repaired === undefined) return undefined;
    }
    for (const { path, message } of convertOlderRealm(value)) hint(pathInFile(path, omittedItems), message);
    const masks: OmittedItems = new Map();
    for (const { path, message } of removeMaskedSecrets(value, masks)) {
      this.maskedSecrets.push(document.problem(pathInFile(path, omittedItems), message));
    }
    for (const [list, indexes] of masks) omittedItems.set(list, [...(omittedItems.get(list) ?? []), ...indexes]);
    return value;
  }

  #removeStale(document: JsonDocument, value: RealmRepresentation, omittedItems: OmittedItems): void {
    const stale: OmittedItems = new Map();
    const isProduction = this.#options.unsafeSettings !== undefined;
    for (const { path, message, weakens } of removeStaleMembers(value, stale)) {
      this.reporterFor(document, isProduction && weakens ? this.unsafe : this.staleMembers)(path, message);
    }
    for (const [list, indexes] of stale) omittedItems.set(list, indexes);
  }

  /** The names within invalid parts, of which it is unknown whether they exist. */
  hiddenNames(): HiddenNames {
    return hiddenNames(this.#invalidWords, this.#unresolved, this.main);
  }

  /** True if this member of the main document has neither an invalid value nor an unresolved reference. */
  isValidMember(member: string): boolean {
    const invalidPaths = [...(this.#invalidPaths.get(this.main) ?? []), ...this.main.mistakes.map(({ path }) => path)];
    return !invalidPaths.some(([top]) => top === member);
  }

  /** True if the value at the path contains a reference, or the message contains the value of one. */
  #tellsReference(document: JsonDocument, path: JsonPath, { message, suggestion = '' }: Problem): boolean {
    const sentence = `${message}\n${suggestion}`;
    return this.#resolvedTexts.some(({ document: of, text: { path: at, value } }) => {
      if (of === document && isWithin(path, at)) return true;
      return value !== '' && (sentence.includes(value) || sentence.includes(JSON.stringify(value).slice(1, -1)));
    });
  }

  /**
   * Converts a path in the realm as read to the path in the document, where attributes have not moved and no items are
   * omitted.
   */
  #writtenPath(document: JsonDocument, path: JsonPath): JsonPath {
    const attribute = this.#movedAttributes.get(document)?.get(String(path[0]));
    if (attribute !== undefined) return ['attributes', attribute];
    return pathInFile(path, this.#omittedItems.get(document) ?? new Map());
  }

  #resolveReferences(document: JsonDocument): { value: RealmRepresentation; places: JsonPath[] } {
    const { env, unsafeSettings, withholdReason } = this.#options;
    const resolved = resolveReferences(document.value, { file: document.file, env, withholdReason });
    addFiles(this.referencedFiles, resolved.files);
    for (const one of resolved.resolvedTexts) {
      this.#onResolved(one);
      this.#resolvedTexts.push({ document, text: one });
    }
    // Each document has users; the rest of the realm is in the main one.
    const isMain = document === this.main;
    if (isMain) this.references.push(...resolved.resolvedTexts.filter(({ path }) => path[0] !== 'users'));
    for (const { path, text, reason } of resolved.withheldTexts) {
      this.withheldReferences.push(document.problem(path, reason));
      if (isMain && path[0] !== 'users') this.references.push({ path, text, value: text });
    }
    this.hasReferences ||= resolved.resolvedTexts.length > 0;
    for (const reference of resolved.defaultedReferences) {
      this.defaultedReferences.push(reference);
      if (unsafeSettings === undefined) continue;
      const message = `set ${reference.name}: production does not allow default values in realm files`;
      this.unsafe.push(document.problem(reference.path, message));
    }
    const complain = this.reporterFor(document);
    for (const { path, message } of resolved.problems) complain(path, message);
    for (const { problem } of document.mistakes) this.problems.push(problem);
    const paths = [...resolved.problems, ...resolved.withheldTexts].map(({ path }) => path);
    this.#invalidPaths.set(document, paths);
    if (isMain) this.#unresolved.push(...paths);
    return { value: resolved.value as RealmRepresentation, places: paths };
  }
}

/** True for the path itself and everything below it. */
function isWithin(path: JsonPath, outer: JsonPath): boolean {
  return outer.every((part, index) => String(path[index]) === String(part));
}
