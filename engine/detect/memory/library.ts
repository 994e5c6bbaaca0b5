/** What is known of functions of the C library, POSIX, GLib and the Linux kernel that have to do with memory and numbers. */

/** Answer a new block or stream, or NULL; the number of the argument that is its size, where it is one. */
export const ALLOCATES: Readonly<Record<string, { size?: number; is: 'memory' | 'file' }>> = {
  malloc: { size: 0, is: 'memory' },
  calloc: { is: 'memory' },
  aligned_alloc: { size: 1, is: 'memory' },
  strdup: { is: 'memory' },
  strndup: { is: 'memory' },
  wcsdup: { is: 'memory' },
  kmalloc: { size: 0, is: 'memory' },
  kzalloc: { size: 0, is: 'memory' },
  kcalloc: { is: 'memory' },
  kmalloc_array: { is: 'memory' },
  kstrdup: { is: 'memory' },
  kmemdup: { is: 'memory' },
  vmalloc: { size: 0, is: 'memory' },
  vzalloc: { size: 0, is: 'memory' },
  kvmalloc: { size: 0, is: 'memory' },
  kvzalloc: { size: 0, is: 'memory' },
  fopen: { is: 'file' },
  fdopen: { is: 'file' },
  freopen: { is: 'file' },
  tmpfile: { is: 'file' },
  popen: { is: 'file' },
}

/** Give back what their first argument points to. */
export const FREES = new Set('free kfree vfree kvfree kfree_sensitive kzfree g_free cfree fclose pclose'.split(' '))

/** Words in the names of functions that free what they are passed, each a part of a name by itself (`box_free`, `freeBox`); those of the second list only behind an underscore. */
export const RELEASE_WORDS =
  'free destroy release delete dispose dealloc cleanup unref close drop discard deinit'.split(' ')
export const RELEASE_ENDINGS = 'put fini'.split(' ')

/** Do not come back. */
export const ENDS =
  /^(?:_?_?exit|_Exit|quick_exit|abort|err|errx|verr|verrx|die\w*|\w+_die|\w+_and_(?:exit|fail|abort)|(?!at|on)[a-z]+exit(?:all)?|exit_(?:with_|on_)?(?:error|failure|program|now)|(?:\w+_)?fatal\w*|panic\w*|usage|longjmp|siglongjmp|terminate|rb_(?:exc_)?raise|rb_(?:bug|throw|sys_fail|notimplement|jump_tag|num_zerodiv)|(?:Perl_)?v?croak(?:_\w+)?|luaL?_error|luaL_(?:arg|type)error|png_error|mexErrMsg(?:Id)?(?:And)?Txt|Rf_error|zend_error_noreturn|caml_(?:raise|failwith|invalid_argument)\w*|pthread_exit|g_error|__builtin_unreachable|BUG|do_exit|do_group_exit|kthread_exit|kthread_complete_and_exit|module_put_and_kthread_exit|kunit_skip|make_task_dead|(?:\w+_)?(?:return|RETURN)_(?!if|IF|when|unless)\w+|(?:ABORT|BAIL|GOTO|THROW)(?:_(?!IF|ON|WHEN|UNLESS)[A-Z]+)*)$/

/** Ask for the type or the place of what they are given, or for what the compiler knows of it: nothing is followed. */
export const UNEVALUATED =
  /^(?:(?:__)?typeof(?:__|_unqual)?|decltype|typeid|offsetof|__builtin_offsetof|__builtin_constant_p|__builtin_types_compatible_p|_?[Aa]lignof|__alignof__|sizeof_field)$/

/** Answer their first argument. */
export const ANSWERS_FIRST = /^(?:mem(?:cpy|move|set)|str(?:n?cpy|n?cat)|wmem(?:cpy|set)|wcs(?:n?cpy|n?cat))$/

/** Ask whether their argument holds, and go on only if it does, or say so. */
export const ASSERTS = /^(?:\w+_)?(?:assert|ASSERT)$|^g_return(?:_val)?_if_fail$|^BUG_ON$/

/** Stand for their first argument in a condition. */
export const TRANSPARENT = /^(?:likely|unlikely|__builtin_expect|UNLIKELY|LIKELY|WARN_ON(?:_ONCE)?)$/

/** Follow these arguments, and keep none of them. */
export const FOLLOWS: Readonly<Record<string, readonly number[]>> = {
  ...named('strcpy strcat strncpy strncat strcmp strncmp strcasecmp strncasecmp strlcpy strlcat', [0, 1]),
  ...named('memcpy memmove memcmp bcopy', [0, 1]),
  ...named('memset bzero strlen strnlen sprintf snprintf vsnprintf fgetc getc puts atoi atol rewind ferror feof', [0]),
  ...named('fflush fileno ftell fseek fprintf strtol strtoul isatty', [0]),
  ...named('fgets', [0, 2]),
  ...named('fputs fputc putc ungetc', [1]),
  ...named('fread fwrite', [0, 3]),
  ...named('getline', [2]),
  ...named('printf write send sendto read recv recvfrom sscanf fscanf', []),
}

/** Answer a number that whoever runs or speaks to the program chose, and whether it can be less than nothing. */
export const NUMBERS: Readonly<Record<string, { signed: boolean }>> = {
  ...named('atoi atol atoll strtol strtoll stoi stol', { signed: true }),
  ...named('strtoul strtoull stoul ntohl ntohs be32toh be16toh', { signed: false }),
}

/** Answer how long a text is. */
export const MEASURES = /^(?:std::)?(?:str|wcs)n?len$/

/** Write a number from outside to the address in an argument: where the first of them stands, and whether more follow. */
export const READS_NUMBER: Readonly<Record<string, { from: number; rest: boolean }>> = {
  scanf: { from: 1, rest: true },
  fscanf: { from: 2, rest: true },
  sscanf: { from: 2, rest: true },
  read: { from: 1, rest: false },
  recv: { from: 1, rest: false },
  fread: { from: 0, rest: false },
}

/** Write so many bytes to a place: the numbers of both arguments. `times` is a second factor. */
export const FILLS: Readonly<Record<string, { to: number; size: number; times?: number }>> = {
  ...named('memcpy memmove memset strncpy snprintf vsnprintf', { to: 0, size: 2 }),
  snprintf: { to: 0, size: 1 },
  vsnprintf: { to: 0, size: 1 },
  fgets: { to: 0, size: 1 },
  bzero: { to: 0, size: 1 },
  strlcpy: { to: 0, size: 2 },
  read: { to: 1, size: 2 },
  recv: { to: 1, size: 2 },
  recvfrom: { to: 1, size: 2 },
  fread: { to: 0, size: 1, times: 2 },
}

/** Of these the ones that read no more from elsewhere than they write. */
export const READS = /^(?:fgets|read|recv|recvfrom|fread)$/

/** Sizes of types on machines of 64 bits, in bytes. */
export const SIZES: Readonly<Record<string, number>> = {
  ...named('char bool _Bool int8_t uint8_t u8 s8 __u8 BYTE guint8', 1),
  ...named('short int16_t uint16_t u16 s16 __u16 WORD', 2),
  ...named('int unsigned float int32_t uint32_t u32 s32 __u32 wchar_t DWORD', 4),
  ...named('long double size_t ssize_t int64_t uint64_t u64 s64 __u64 off_t time_t', 8),
}

function named<T>(names: string, what: T): Record<string, T> {
  return Object.fromEntries(names.split(' ').map(name => [name, what]))
}
