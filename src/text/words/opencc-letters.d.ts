declare module "opencc-js/dict/TSCharacters" {
  /** Pairs of a traditional letter and its simplified one, as "A a|B b". */
  const pairs: string;
  export default pairs;
}
