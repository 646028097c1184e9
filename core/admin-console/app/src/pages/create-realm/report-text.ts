import type { DocumentReport, Problem } from '../../api/realm-files.ts';

const line = (problem: Problem, mark: string) => {
  const { line, column, path, message, suggestion } = problem;
  const position = line === 0 ? '' : `${line}:${column} `;
  const hint = suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`;
  return `${position}${path === '' ? '' : `${path}: `}${message}${hint}${mark}`;
};

/** The report as text, a line for each finding, as `keyhost realm check` prints it. */
export function reportText({ problems, realm }: DocumentReport): string {
  const lines = problems.map((problem) => line(problem, ''));
  if (realm !== undefined) {
    const { name, clients, groups, users, warnings, newSecrets } = realm;
    lines.push(
      ...warnings.map((problem) => line(problem, ' [warning]')),
      ...newSecrets.map((clientId) => `client ${clientId} has no secret: a new one is created`),
      `realm ${name}: ${clients} clients, ${groups} groups, ${users} users`,
    );
  }
  return `${lines.join('\n')}\n`;
}
