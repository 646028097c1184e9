declare module 'virtual:messages' {
  /** By language (BCP 47): a function that loads its texts. */
  export const languages: Readonly<Record<string, () => Promise<{ default: Readonly<Record<string, string>> }>>>;
}
declare module '*.svg' {
  /** The address of the file. */
  const address: string;
  export default address;
}
declare module '*.css';
