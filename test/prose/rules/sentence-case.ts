import type { TxtNode } from '@textlint/ast-node-types';
import type { TextlintRuleModule } from '@textlint/types';
import { textOf } from '../text-of.js';

/** Names, which always have a capital letter. */
const NAMES =
  /^(Account|Admin|Apache|Argo|Backus|Basic|Bearer|Boot|Chromium|Compose|Connect|Console|Deutsch|Docker|English|Fastify|Firefox|German|Gitea|Grafana|Helm|Java|Keycloak|Keyhost|Koa|Kubernetes|Linux|Markdown|Node|Passport|Prometheus|React|Redis|Sigstore|Spring|Standard|Vite|Webhooks|Windows)s?$/;

/** Headings, and labels of a page, have a capital letter at the beginning alone: “Update password”. */
export const sentenceCase =
  (of: 'headings' | 'messages'): TextlintRuleModule =>
  ({ Syntax, RuleError, report }) => {
    function check(node: TxtNode): void {
      const text = textOf(node).trim();
      if (of === 'messages' && /[.!?…:;]\s/.test(text)) return;
      for (const [, before = '', word = ''] of text.matchAll(/(\S+)\s+\p{P}?(?=(\p{Lu}\p{Ll}+)\b)/gu)) {
        if (/[.!?:–—·/]$/.test(before) || NAMES.test(word)) continue;
        report(node, new RuleError(`“${word}”: headings and labels are in sentence case.`));
        return;
      }
    }
    return { [of === 'headings' ? Syntax.Header : Syntax.Paragraph]: check };
  };
