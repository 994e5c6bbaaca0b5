import { describe, expect, test } from 'vitest'
import { follow, sinkRule } from './follow.ts'

const reaches = (code: string): boolean => follow(`<?php\n${code}`, sinkRule('php')).matches.length > 0

const REACHES: [name: string, code: string][] = [
  ['as it is', 'sink($_GET["a"]);'],
  ['into a function whose name is written with other letters', 'Sink($_GET["a"]);'],
  ['through a known function whose name is written with other letters', 'sink(Trim($_GET["a"]));'],
  ['through a concatenation', '$a = "x" . $_GET["a"] . "y"; sink($a);'],
  ['through a text with braces', 'sink("a {$_POST["x"]} b");'],
  ['through a text without braces', 'sink("a $_GET[x] b");'],
  ['through a heredoc', 'sink(<<<EOT\n a {$_GET["x"]}\nEOT\n);'],
  ['through a loop that adds to a text', '$a = ""; foreach ($_POST as $k => $v) { $a .= "$k=$v"; } sink($a);'],
  ['as a key of the request', 'foreach ($_POST as $k => $v) sink($k);'],
  ['through an element of an array', '$r = []; $r["a"] = $_GET["x"]; sink($r["a"]);'],
  ['through an array that nobody declared', '$r["a"] = $_GET["x"]; sink($r["a"]);'],
  ['through an appended element', '$l = array(); $l[] = $_GET["x"]; sink($l[0]);'],
  ['through a function', 'function own($x) { return "a" . $x; } sink(own($_GET["x"]));'],
  [
    'through an object',
    'class A { private $f; function __construct($x) { $this->f = $x; } function g() { return $this->f; } } $a = new A($_GET["x"]); sink($a->g());',
  ],
  [
    'through another method',
    'class A { function g() { $x = $_GET["a"]; $this->use($x); } private function use($y) { sink($y); } }',
  ],
  ['through list()', 'list($a, $b) = explode(",", $_GET["x"]); sink($a);'],
  ['through a pattern', '[$a, $b] = ["k", $_GET["x"]]; sink($b);'],
  ['after a check that only warns', 'if (!is_numeric($_GET["id"])) { echo "warn"; } sink($_GET["id"]);'],
  ['through implode', 'sink(implode(",", [1, $_GET["x"]]));'],
  ['through sprintf', 'sink(sprintf("%s", $_GET["x"]));'],
  ['with a default', 'sink($_GET["a"] ?? "x");'],
  [
    'although a hash that anybody can make is right',
    '$a = $_GET["a"]; if (hash_equals(hash("sha256", $a), $_GET["s"])) { sink($a); }',
  ],
  ["from what a plugin asks WordPress' address for", 'sink(get_query_var("shop_item"));'],
  ['through a conditional', 'sink(isset($_GET["a"]) ? $_GET["a"] : "");'],
  ['from the body', 'sink(file_get_contents("php://input"));'],
  ['from a header', 'sink($_SERVER["HTTP_REFERER"]);'],
  ["from an upload's name", 'sink($_FILES["f"]["name"]);'],
  ['through a switch', 'switch ($_GET["x"]) { case "a": $b = 1; break; default: $b = $_GET["x"]; } sink($b);'],
  ['from a request object', 'function f(Request $request) { sink($request->input("x")); }'],
  ['through a closure', '$f = function ($x) { return $x; }; sink($f($_GET["x"]));'],
  ['in a closure that a framework calls', 'add_action("x", function () { sink($_GET["a"]); });'],
  ['although an expression fits its beginning', 'if (preg_match("/^[a-z]+/", $_GET["a"])) sink($_GET["a"]);'],
  ['through the form with colons', 'if ($a): $b = $_GET["x"]; elseif ($c): $b = "1"; else: $b = 2; endif; sink($b);'],
  ['through do and while', 'do { $x = $_GET["a"]; } while ($q); sink($x);'],
  ['through match', '$m = match($q) { 1 => "a", default => $_GET["x"] }; sink($m);'],
  ['through try', 'try { $x = $_GET["a"]; } catch (Exception $e) { } sink($x);'],
  ['although another parameter is compared', 'if ($_POST["s"] == "1") { sink($_POST["c"]); }'],
  ['in a class of a namespace', 'namespace A; use B\\C; class D { public function index() { sink($_REQUEST["x"]); } }'],
]

const KEPT: [name: string, code: string][] = [
  [
    'the program itself once signed it',
    '$a = $_GET["a"]; if (!hash_equals(hash_hmac("sha256", $a, $key), $_GET["s"])) { exit; } sink($a);',
  ],
  ["WordPress' own number of a page is asked for", 'sink(get_query_var("paged"));'],
  ['it is cast to a number', 'sink((int) $_GET["a"]);'],
  ['intval makes a number of it', 'sink(intval($_GET["a"]));'],
  ['a number is made of it, in other letters', 'sink(IntVal($_GET["a"]));'],
  ['the variable is set anew', '$a = $_GET["a"]; $a = "x"; sink($a);'],
  ['the program ends where it is no number', 'if (!is_numeric($_GET["id"])) exit; sink($_GET["id"]);'],
  ['it is a number there', 'if (is_numeric($_GET["id"])) { sink($_GET["id"]); }'],
  ['it is one of the texts written out', 'if (in_array($_GET["p"], ["a", "b"])) sink($_GET["p"]);'],
  ['it is one of what is allowed', '$p = $_GET["p"]; if (!in_array($p, $allowed)) { die("x"); } sink($p);'],
  ['it is looked up', '$m = ["a" => "x"]; sink($m[$_GET["a"]]);'],
  ['an expression fits all of it', 'if (preg_match("/^[a-z]+$/", $_GET["a"])) sink($_GET["a"]);'],
  ['an expression finds nothing else in it', 'if (preg_match("/[^a-z]/", $_GET["a"])) exit; sink($_GET["a"]);'],
  ['the server names the file', 'sink($_FILES["f"]["tmp_name"]);'],
  ['a filter makes a number of it', 'sink(filter_input(INPUT_GET, "a", FILTER_VALIDATE_INT));'],
  ['a filter checked that it is a number', 'if (filter_var($_GET["a"], FILTER_VALIDATE_INT)) sink($_GET["a"]);'],
  ['the server says it', 'sink($_SERVER["DOCUMENT_ROOT"]);'],
  ['it is only counted', 'sink(count($_GET["a"]));'],
  ['the parameter itself is set anew', '$_GET["a"] = (int) $_GET["a"]; sink($_GET["a"]);'],
  ['a switch chooses fixed texts', 'switch ($_GET["x"]) { case "a": $b = "a"; break; default: $b = "b"; } sink($b);'],
  ['it is equal to a fixed text', 'if ($_GET["x"] == "a") { sink($_GET["x"]); }'],
  ['only keys that the program wrote are used', '$arr = ["a" => $_GET["x"]]; foreach ($arr as $k => $v) { sink($k); }'],
  ['it is calculated with', 'sink($_GET["a"] + 1);'],
  ['another element is used', '$ar = ["x" => $_GET["q"], "y" => "c"]; sink($ar["y"]);'],
  ['it is a key of a fixed array', '$map = ["a" => 1]; $k = $_GET["k"]; if (isset($map[$k])) sink($k);'],
  ['the function returns something else', 'function own($x) { return "a"; } sink(own($_GET["x"]));'],
  ['its element was cleaned in place', '$d = $_POST; $d["id"] = intval($d["id"]); sink($d["id"]);'],
  ['the condition never holds', 'if (7 * 6 > 50) $a = $_GET["x"]; else $a = "y"; sink($a);'],
  ['a constant says that it never comes to it', 'define("X", "a"); if (X == "b") { sink($_GET["a"]); }'],
  ['only its hash is used', 'sink(md5($_GET["a"]));'],
]

describe('in PHP, input reaches a sink', () => {
  test.each(REACHES)('%s', (_, code) => {
    expect(reaches(code)).toBe(true)
  })
})

describe('in PHP, input does not reach a sink where', () => {
  test.each(KEPT)('%s', (_, code) => {
    expect(reaches(code)).toBe(false)
  })
})

describe('in PHP, text that is printed', () => {
  const printed = sinkRule('php', { sinks: [{ calls: ['echo', '<?='] }] })
  test.each([
    '<?php echo "a", $_GET["x"]; ?>',
    '<p><?= $_GET["x"] ?></p>',
    '<?php if ($a): ?><p><?= $_GET["x"] ?></p><?php endif ?>',
  ])('is a sink in %s', code => {
    expect(follow(code, printed).matches).toHaveLength(1)
  })

  test('is none where an expression between tags is only carried out', () => {
    expect(follow('<p><?php $_GET["x"] ?></p><?php echo "a" ?>', printed).matches).toHaveLength(0)
  })
})
