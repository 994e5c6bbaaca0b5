export const APPENDS = new Set([
  'add',
  'addLast',
  'addElement',
  'append',
  'push',
  'offer',
  'offerLast',
  'Add',
  'enqueue',
  'Enqueue',
  '<<',
  'push_back',
])

export const PREPENDS = new Set(['addFirst', 'offerFirst', 'unshift', 'appendleft', 'prepend'])

export const INSERTS = new Set(['insert', 'Insert', 'insertElementAt'])

export const EXTENDS = new Set([
  'addAll',
  'extend',
  'AddRange',
  'putAll',
  'update',
  'addall',
  'concat',
  'merge',
  'merge!',
])

export const TAKES_FIRST = new Set(['shift', 'poll', 'pollFirst', 'removeFirst', 'popleft', 'dequeue', 'Dequeue'])

export const TAKES_LAST = new Set(['pollLast', 'removeLast'])

export const READS_FIRST = new Set(['getFirst', 'first', 'firstElement', 'peekFirst', 'element', 'First'])

export const READS_LAST = new Set(['getLast', 'last', 'lastElement', 'peekLast', 'Last'])

export const READS_AT = new Set(['get', 'elementAt', 'at', 'getOrDefault', 'fetch', 'getItem', 'ElementAt', 'dig'])

export const WRITES = new Set([
  'put',
  'set',
  'setProperty',
  'setdefault',
  'putIfAbsent',
  'setElementAt',
  'store',
  'setItem',
  'Add',
  'TryAdd',
  '__setitem__',
  'setAttribute',
])

export const READS_KEY = new Set(['get', 'getOrDefault', 'getProperty', 'fetch', 'getItem', 'dig', 'getAttribute'])

export const REMOVES = new Set([
  'remove',
  'delete',
  'removeAt',
  'RemoveAt',
  'Remove',
  'pop',
  'delete_at',
  'removeItem',
  'removeElementAt',
])
