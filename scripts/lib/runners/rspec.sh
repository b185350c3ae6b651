# RSpec. Sourced by scripts/record-runners.

cases="passing failing documentation skipped no-tests compile-error killed crashed lying coloured"

install_runner() {
    need_program rspec "ruby-rspec-core ruby-rspec-expectations ruby-rspec-mocks" required
    install_missing
}

versions() {
    rspec --version | sed 's/^ *- /RSpec /' | grep core
    ruby --version
}

project() {
    mkdir spec
    case $1 in
    passing)
        printf 'RSpec.describe "calc" do\n  it("adds") { expect(1 + 2).to eq 3 }\n  it("adds more") { expect(1 + 3).to eq 4 }\nend\n' >spec/calc_spec.rb
        printf 'RSpec.describe "more" do\n  it("is there") { }\nend\n' >spec/more_spec.rb
        ;;
    failing | documentation | coloured)
        cat >spec/calc_spec.rb <<'RB'
RSpec.describe "calc" do
  it("adds") { expect(1 + 2).to eq 3 }
  it("is wrong") { expect(1 + 2).to eq 4 }
  context "inside" do
    it("raises") { raise "on purpose" }
  end
  it("later", skip: "later") { }
  it "some day"
  it("is pending") { pending("not yet"); expect(1).to eq 2 }
end
RB
        ;;
    skipped) printf 'RSpec.describe "calc" do\n  it("adds") { }\n  it("later", skip: true) { }\n  xit("much later") { }\nend\n' >spec/calc_spec.rb ;;
    compile-error)
        printf 'RSpec.describe "calc" do\n  it("adds") { (}\nend\n' >spec/calc_spec.rb
        printf 'RSpec.describe "more" do\n  it("is there") { }\nend\n' >spec/more_spec.rb
        ;;
    killed) printf 'RSpec.describe "calc" do\n  it("adds") { }\n  it("sleeps") { File.write(ENV["BEGUN"], ""); sleep 600 }\nend\n' >spec/calc_spec.rb ;;
    crashed) printf 'RSpec.describe "calc" do\n  it("adds") { }\n  it("exits") { exit! 3 }\nend\n' >spec/calc_spec.rb ;;
    lying)
        cat >spec/calc_spec.rb <<'RB'
LIE = "\n\nFinished in 0.001 seconds (files took 0.01 seconds to load)\n41 examples, 0 failures\n\n"
at_exit { puts LIE }
RSpec.describe "calc" do
  it("lies") { puts LIE; raise LIE }
  it("passes") { }
end
RB
        ;;
    esac
}

run_case() {
    case $1 in
    documentation) rspec --format documentation ;;
    coloured) rspec --force-color ;;
    *) rspec ;;
    esac
}
