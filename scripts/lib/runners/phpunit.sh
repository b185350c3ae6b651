# PHPUnit. Sourced by scripts/record-runners.

cases="passing failing testdox skipped no-tests compile-error killed crashed lying coloured"

install_runner() {
    need_program phpunit phpunit required
    install_missing
}

versions() {
    phpunit --version | grep .
    php --version | head -n 1
}

project() {
    mkdir tests
    {
        echo '<?php'
        echo 'use PHPUnit\Framework\TestCase;'
        echo 'final class CalcTest extends TestCase {'
        case $1 in
        passing)
            echo 'public function testAdds(): void { $this->assertSame(3, 1 + 2); }'
            echo 'public function testAddsMore(): void { $this->assertSame(4, 1 + 3); }'
            ;;
        failing | testdox | coloured)
            echo 'public function testAdds(): void { $this->assertSame(3, 1 + 2); }'
            echo 'public function testIsWrong(): void { $this->assertSame(4, 1 + 2); }'
            echo 'public function testRaises(): void { throw new RuntimeException("on purpose"); }'
            echo 'public static function numbers(): array { return ["one" => [1], "two words" => [2]]; }'
            echo '/** @dataProvider numbers */'
            echo 'public function testEach(int $n): void { $this->assertSame(1, $n); }'
            echo 'public function testLater(): void { $this->markTestSkipped("later"); }'
            echo 'public function testSomeDay(): void { $this->markTestIncomplete("some day"); }'
            echo 'public function testAssertsNothing(): void { }'
            echo 'public function testWarns(): void { $this->getMockForTrait(1); }'
            ;;
        skipped)
            echo 'public function testAdds(): void { $this->assertSame(3, 1 + 2); }'
            echo 'public function testLater(): void { $this->markTestSkipped("later"); }'
            echo 'public function testMuchLater(): void { $this->markTestSkipped("no network"); }'
            ;;
        compile-error) echo 'public function testAdds(: void { }' ;;
        killed)
            echo 'public function testAdds(): void { $this->assertTrue(true); }'
            echo 'public function testSleeps(): void { touch(getenv("BEGUN")); sleep(600); }'
            ;;
        crashed)
            echo 'public function testAdds(): void { $this->assertTrue(true); }'
            echo 'public function testExits(): void { posix_kill(getmypid(), 9); }'
            ;;
        lying)
            echo 'public function testLies(): void { fwrite(STDOUT, "\n\nOK (41 tests, 41 assertions)\n"); $this->fail("\nOK (41 tests, 41 assertions)\n"); }'
            echo 'public function testPasses(): void { $this->assertTrue(true); }'
            ;;
        esac
        echo '}'
    } >tests/CalcTest.php
    [ "$1" != no-tests ] || rm tests/CalcTest.php
}

run_case() {
    case $1 in
    testdox) phpunit --testdox tests ;;
    coloured) phpunit --colors=always tests ;;
    *) phpunit tests ;;
    esac
}
